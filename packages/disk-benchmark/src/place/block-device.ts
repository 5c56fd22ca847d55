import { readFileSync, statSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { BlockDevice } from "@stashlight/contracts/disk";
import { SECTOR_BYTES } from "@stashlight/contracts/disk/sector";

/** Returns the device of a folder, or the named device; for a partition, the whole drive. */
export async function findBlockDevice(place: string, sysFolder = "/sys"): Promise<BlockDevice> {
  const path = await devicePath(place, sysFolder);
  const told = async (name: string): Promise<string | null> => {
    if (path === null) return null;
    const text = await readFile(join(path, name), "utf8").catch(() => "");
    return text.trim() === "" ? null : text.trim().slice(0, 100);
  };
  const [model, rotational, block, schedulers, writeCache] = await Promise.all(
    [
      "device/model",
      "queue/rotational",
      "queue/logical_block_size",
      "queue/scheduler",
      "queue/write_cache",
    ].map(told),
  );
  return {
    name: path === null ? null : basename(path),
    model: model ?? null,
    isRotational: rotational == null ? null : rotational === "1",
    logicalBlockBytes: block == null ? null : Number(block),
    // Parses "none [mq-deadline] kyber": the scheduler in brackets is in use.
    scheduler: schedulers == null ? null : (/\[(.+?)\]/.exec(schedulers)?.[1] ?? schedulers),
    writeCache: writeCache ?? null,
  };
}

/** Throws the error of the file system if the kernel does not know the device. */
export function deviceSizeBytes(device: string): number {
  const folder = sysfsPath(statSync(device, { bigint: true }).rdev);
  return Number(readFileSync(join(folder, "size"), "utf8")) * SECTOR_BYTES;
}

/** Sysfs directory of the block device with this number; it need not exist. */
export function sysfsPath(number: bigint, sysFolder = "/sys"): string {
  // Splits the number as the C library's major() and minor() do.
  const major = ((number >> 8n) & 0xfffn) | ((number >> 32n) & ~0xfffn);
  const minor = (number & 0xffn) | ((number >> 12n) & 0xffffff00n);
  return `${sysFolder}/dev/block/${major}:${minor}`;
}

async function devicePath(place: string, sysFolder: string): Promise<string | null> {
  try {
    const found = await stat(place, { bigint: true });
    const path = await realpath(sysfsPath(found.isBlockDevice() ? found.rdev : found.dev, sysFolder));
    const isPartition = await readFile(join(path, "partition"), "utf8").then(
      () => true,
      () => false,
    );
    return isPartition ? join(path, "..") : path;
  } catch {
    return null;
  }
}
