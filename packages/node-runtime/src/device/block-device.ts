/**
 * Reads the kernel's data on block devices under /sys. Functions return null where it has none, as for tmpfs and
 * overlays.
 */
import { readFileSync } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { SECTOR_BYTES } from "@stashlight/contracts/disk/sector";

export interface DeviceWrites {
  readonly writeCount: number;
  readonly writtenBytes: number;
}

const WRITE_COUNT_FIELD = 4;
const WRITTEN_SECTORS_FIELD = 6;
const QUEUE_MS_FIELD = 10;
/** Maximum depth of layers that are followed, such as volumes on partitions on mappings. */
const LAYERS_MAX = 8;

/** Returns MAJOR:MINOR of the device that holds a file or folder. */
export async function readDeviceNumber(path: string): Promise<string | null> {
  try {
    return deviceNumber((await stat(path, { bigint: true })).dev);
  } catch {
    return null;
  }
}

/** Splits the number as the C library's major() and minor() do. */
export function deviceNumber(dev: bigint): string {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
}

/** Reads the writes since the device appeared. */
export async function readDeviceWrites(sysFolder: string, number: string): Promise<DeviceWrites | null> {
  try {
    return parseDeviceWrites(await readFile(join(sysFolder, "dev/block", number, "stat"), "utf8"));
  } catch {
    return null;
  }
}

export function parseDeviceWrites(text: string): DeviceWrites | null {
  const fields = text.trim().split(/\s+/).map(Number);
  const writeCount = fields[WRITE_COUNT_FIELD];
  const sectors = fields[WRITTEN_SECTORS_FIELD];
  if (!Number.isSafeInteger(writeCount) || !Number.isSafeInteger(sectors)) return null;
  return { writeCount: writeCount as number, writtenBytes: (sectors as number) * SECTOR_BYTES };
}

/** Returns the name of the whole disk under /dev; for a partition, the name of its disk. */
export async function findDiskName(sysFolder: string, number: string): Promise<string | null> {
  try {
    const folder = await realpath(join(sysFolder, "dev/block", number));
    const isPartition = await stat(join(folder, "partition")).then(
      () => true,
      () => false,
    );
    return basename(isPartition ? dirname(folder) : folder);
  } catch {
    return null;
  }
}

/**
 * Returns the name of the disk that does the work for a device: the whole disk of a partition, or the disk below a
 * volume or an encrypted device that is on a single disk. A device on several disks counts as doing its work itself.
 */
export async function findBottomDisk(sysFolder: string, number: string): Promise<string | null> {
  try {
    let folder = await realpath(join(sysFolder, "dev/block", number));
    for (let layers = 0; layers < LAYERS_MAX; layers++) {
      const names = await readdir(folder);
      const [below, ...others] = names.includes("slaves") ? await readdir(join(folder, "slaves")) : [];
      if (names.includes("partition")) folder = dirname(folder);
      else if (below !== undefined && others.length === 0)
        folder = await realpath(join(folder, "slaves", below));
      else return basename(folder);
    }
    return null;
  } catch {
    return null;
  }
}

/** Reads the sum of the times that all requests of a disk have taken. The kernel answers from memory. */
export function readQueueMs(sysFolder: string, disk: string): number | null {
  try {
    return parseQueueMs(readFileSync(join(sysFolder, "block", disk, "stat"), "utf8"));
  } catch {
    return null;
  }
}

function parseQueueMs(text: string): number | null {
  const queueMs = Number(text.trim().split(/\s+/)[QUEUE_MS_FIELD] ?? Number.NaN);
  return Number.isSafeInteger(queueMs) ? queueMs : null;
}
