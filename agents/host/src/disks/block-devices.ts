/**
 * Drives of a machine, from /sys/block, limited to physical devices: partitions, loops, RAM disks and devices that LVM,
 * RAID or dm-crypt build on drives would count the same work twice.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { SECTOR_BYTES } from "@stashlight/contracts/disk/sector";
import type { Medium } from "../arguments.ts";

export interface Drive {
  /** Under /dev: "nvme0n1". */
  readonly name: string;
  readonly medium: Medium;
  readonly sizeBytes: number | null;
  /** Changes when a drive is replaced, even if the name stays; null before kernel 5.15. */
  readonly sequence: string | null;
}

/** Twice the largest enclosures; each drive has about fifteen series. */
const DRIVES_MAX = 240;

const NEVER = /^(loop|ram|zram|sr|fd|dm-|md|nbd|drbd|zd|mmcblk\d+boot)/;

/**
 * Returns drives sorted by name; none if /sys/block is missing. Virtual drives often report that they rotate, so a
 * configured medium takes precedence.
 */
export async function listDrives(
  sysFolder: string,
  saidMedia: ReadonlyMap<string, Medium>,
): Promise<Drive[]> {
  const folder = join(sysFolder, "block");
  const names = await readdir(folder).catch(() => []);
  const drives = await Promise.all(
    names.filter((name) => !NEVER.test(name)).map((name) => readDrive(join(folder, name), name)),
  );
  return drives
    .filter((drive) => drive !== null)
    .map((drive) => ({ ...drive, medium: saidMedia.get(drive.name) ?? drive.medium }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, DRIVES_MAX);
}

async function readDrive(path: string, name: string): Promise<Drive | null> {
  const told = (file: string): Promise<string> =>
    readFile(join(path, file), "utf8").then(
      (text) => text.trim(),
      () => "",
    );
  const [hasDevice, hidden, rotational, sectors, sequence] = await Promise.all([
    stat(join(path, "device")).then(
      () => true,
      () => false,
    ),
    told("hidden"),
    told("queue/rotational"),
    told("size"),
    told("diskseq"),
  ]);
  // An empty card reader has no sectors; a secondary path of a multipath NVMe drive is hidden.
  if (!hasDevice || hidden === "1" || sectors === "0") return null;
  return {
    name,
    medium: rotational === "1" ? "hdd" : "ssd",
    sizeBytes: /^\d+$/.test(sectors) ? Number(sectors) * SECTOR_BYTES : null,
    sequence: sequence === "" ? null : sequence,
  };
}
