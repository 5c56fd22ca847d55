/**
 * Reads the kernel's data on block devices under /sys. Functions return null where it has none, as for tmpfs and
 * overlays.
 */
import { readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { SECTOR_BYTES } from "@stashlight/contracts/disk/sector";

export interface DeviceWrites {
  readonly writeCount: number;
  readonly writtenBytes: number;
}

const WRITE_COUNT_FIELD = 4;
const WRITTEN_SECTORS_FIELD = 6;

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

/** Returns the name of the whole disk under /dev; for a partition, that of the disk it belongs to. */
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
