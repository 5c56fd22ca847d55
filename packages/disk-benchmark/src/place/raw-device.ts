/**
 * Whole device without a file system. It is measured only while it is empty: its first and last MiB, where partition
 * tables and the signatures of file systems, RAID members and volume groups are, must contain only zeros. Measuring
 * does not touch these two, so a measured device still counts as empty.
 */
import {
  close,
  closeSync,
  constants,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DiskError } from "../disk-error.ts";
import { deviceSizeBytes, sysfsPath } from "./block-device.ts";
import type { MeasuredPlace } from "./measured-place.ts";

const MARGIN_BYTES = 1_048_576;

export interface RawDeviceOptions {
  readonly device: string;
  readonly fileBytes: number;
  readonly isDirect: boolean;
}

/**
 * Throws a DiskError if the device may not be measured. It is protected from mounts and other measurements until
 * `remove`.
 */
export function openRawDevice({ device, fileBytes, isDirect }: RawDeviceOptions): MeasuredPlace {
  const found = statSync(device, { throwIfNoEntry: false });
  if (found === undefined) throw new DiskError(`There is no device ${device}.`);
  if (!found.isBlockDevice())
    throw new DiskError(`${device} is not a block device; name a drive such as /dev/nvme1n1.`);
  if (!isDirect)
    throw new DiskError(`${device} is measured with direct I/O alone, as there is no page cache to fill.`);
  const sizeBytes = refuseUsed(device);
  const spareBytes = sizeBytes - 2 * MARGIN_BYTES;
  if (fileBytes > spareBytes) {
    throw new DiskError(
      `${device} can spare ${Math.max(0, Math.floor(spareBytes / 1e6))} MB, and ${Math.floor(fileBytes / 1e6)} MB are to be measured; choose less.`,
    );
  }
  const descriptor = openAlone(device);
  try {
    refuseContent(descriptor, device, sizeBytes);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  const name = `stashlight-${process.pid}-${found.rdev}`;
  return {
    path: device,
    offsetBytes: MARGIN_BYTES,
    logPrefix: join(tmpdir(), name),
    remove: async () => {
      for (const log of readdirSync(tmpdir()).filter((each) => each.startsWith(`${name}_`)))
        rmSync(join(tmpdir(), log), { force: true });
      // Closes asynchronously, because closing a drive that hangs would block the whole process.
      await promisify(close)(descriptor);
    },
  };
}

/** Returns the bytes of the device. Throws a DiskError if it has partitions, or if a RAID or volume group holds it. */
function refuseUsed(device: string): number {
  const folder = sysfsPath(statSync(device, { bigint: true }).rdev);
  const names = (path: string): string[] => {
    try {
      return readdirSync(join(folder, path));
    } catch {
      return [];
    }
  };
  const partition = names("").find((name) => names(name).includes("partition"));
  if (partition !== undefined) {
    throw new DiskError(`${device} has partitions, such as ${partition}; only an empty device is measured.`);
  }
  const holder = names("holders")[0];
  if (holder !== undefined) {
    throw new DiskError(`${device} belongs to ${holder}; only a device that nothing uses is measured.`);
  }
  return deviceSizeBytes(device);
}

/** Opens exclusively: the kernel refuses this for a device that is mounted or used for swap. */
function openAlone(device: string): number {
  try {
    return openSync(realpathSync(device), constants.O_RDWR | constants.O_EXCL);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EBUSY") {
      throw new DiskError(`${device} is mounted, or something else measures or uses it; it is not measured.`);
    }
    if (code === "EACCES" || code === "EPERM") throw new DiskError(`This user may not write to ${device}.`);
    throw new DiskError(`${device} cannot be opened: ${message}.`);
  }
}

function refuseContent(descriptor: number, device: string, sizeBytes: number): void {
  const zeros = Buffer.alloc(MARGIN_BYTES);
  const read = Buffer.alloc(MARGIN_BYTES);
  for (const at of [0, sizeBytes - MARGIN_BYTES]) {
    readSync(descriptor, read, 0, MARGIN_BYTES, at);
    if (read.equals(zeros)) continue;
    const where = at === 0 ? "first" : "last";
    throw new DiskError(
      `${device} is not empty: its ${where} MiB, where file systems and partition tables are, holds data. If it is no longer needed, clear it with wipefs -a or blkdiscard -z.`,
    );
  }
}
