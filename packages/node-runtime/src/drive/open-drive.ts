import { mkdirSync } from "node:fs";
import { promisify } from "node:util";
import { createCrc32c } from "@stashlight/checksum";
import { catalogueModel } from "@stashlight/devices";
import {
  type Disk,
  formatLog,
  type LogError,
  type LogOptions,
  liveBytesMax,
  type OpenedLog,
  type OpenLogOptions,
  openLogKeeping,
} from "@stashlight/shard-log";
import { type NodeDisk, openNodeDisk } from "@stashlight/shard-log/node";
import { type KeptRecord, keepRecord, type SavedBoot } from "@stashlight/shard-store";
import { bodyBytesIn } from "@stashlight/write-path";
import type { DriveConfig, VaultFile } from "../config/index.ts";
import { monotonicNowMs } from "../host/clock.ts";
import { drillDisk } from "./drill-disk.ts";
import { IndexPages, type IndexPagesOptions } from "./index-pages.ts";
import { type DiskMeter, meteredDisk } from "./metered-disk.ts";
import { modelledDisk, preciseClock } from "./modelled-disk.ts";
import { OpenCalls, type ReadFailed, watchedDisk } from "./watched-disk.ts";

export interface OpenDriveOptions {
  readonly file: VaultFile;
  readonly drive: DriveConfig;
  readonly policy: "ring" | "extents";
  /** Permits creating a volume in a folder without one. Otherwise such a folder is an error: a mount may be missing. */
  readonly mayFormat: boolean;
  readonly meter?: DiskMeter;
  /** Number of pages that may be unreadable; their segments are not modified. Defaults to 0. */
  readonly unreadablePagesMax?: number;
  /** Gives up records that several segments have lost (LogOptions.acceptsLosses). Defaults to false. */
  readonly acceptsLosses?: boolean;
  /** Called for each read that the device fails. */
  readonly readFailed?: ReadFailed;
  /** Reason for reading the log even if an index was saved; null, the default, continues with the saved index. */
  readonly scanReason?: string | null;
  /** Limits the memory of a pod's index; without it, as for a stash device, the whole index stays in memory. */
  readonly indexPages?: IndexPagesOptions;
  /** Wraps the disk under the log, for tests that make it fail. */
  readonly wrapDisk?: (disk: Disk) => Disk;
}

type Opened = OpenedLog<KeptRecord>;

export interface OpenDrive {
  readonly opened: Opened;
  readonly policy: "ring" | "extents";
  /** State that the last boot saved, if the log continues from there. */
  readonly saved: SavedBoot | null;
  /** Null if the whole index stays in memory. */
  readonly indexPages: IndexPages | null;
  /** Age of the oldest call that the drive has not answered. */
  oldestCallMs(): number;
  /** Time since clients last caused a call. */
  unusedMs(): number;
  /** Closes the log, if it is still open, and releases the folder. */
  close(): Promise<void>;
}

/** Space for key, metadata and headers of a record in addition to its payload. */
const META_ROOM_BYTES = 65_536;
const BATCH_BYTES = 4_194_304;
const BATCHES_WAITING_MAX = 64;

const crc32c = createCrc32c();

/**
 * Opens the volume of a drive. Rejects with a DiskError or LogError, without writing anything, if the folder is in use,
 * or its volume belongs to another vault or drive, has another format, or is damaged beyond use.
 */
export async function openDrive(options: OpenDriveOptions): Promise<OpenDrive> {
  try {
    return await openOnce(options);
  } catch (error) {
    const { code, message } = error as LogError;
    if (code !== "resume_failed") throw error;
    return openOnce({ ...options, scanReason: message });
  }
}

async function openOnce(options: OpenDriveOptions): Promise<OpenDrive> {
  const { file, drive, policy, mayFormat, unreadablePagesMax, acceptsLosses, readFailed } = options;
  if (mayFormat) mkdirSync(drive.path, { recursive: true, mode: 0o700 });
  const nodeDisk = (await promisify(openNodeDisk)(drive.path, { directReads: "required" })) as NodeDisk;
  const calls = new OpenCalls(monotonicNowMs);
  let indexPages: IndexPages | null = null;
  const closeDisk = () => {
    indexPages?.close();
    return promisify(nodeDisk.close.bind(nodeDisk))();
  };
  try {
    if (options.indexPages !== undefined)
      indexPages = new IndexPages(options.indexPages, drive, monotonicNowMs, options.scanReason);
    const left = indexPages?.takeLeft() ?? null;
    const logOptions = {
      ...(left !== null && { resume: left.resume }),
      ...driveLogOptions(file, drive, policy),
      ...(unreadablePagesMax !== undefined && { unreadablePagesMax }),
      ...(acceptsLosses !== undefined && { acceptsLosses }),
      ...(indexPages !== null && { memory: indexPages.memory, startMemory: indexPages.startMemory }),
      disk: watchedDisk(wrapNodeDisk(nodeDisk, options), calls, readFailed),
    };
    const opened = await openOrFormat(logOptions, mayFormat);
    const { log } = opened;
    const close = async () => {
      await promisify(log.close.bind(log))().finally(closeDisk);
    };
    return {
      opened,
      saved: opened.isResumed ? (left?.boot ?? null) : null,
      policy,
      indexPages,
      oldestCallMs: () => calls.oldestMs(),
      unusedMs: () => calls.unusedMs(),
      close,
    };
  } catch (error) {
    await closeDisk();
    throw error;
  }
}

function wrapNodeDisk(nodeDisk: NodeDisk, { drive, meter, wrapDisk }: OpenDriveOptions): Disk {
  const base = wrapDisk?.(nodeDisk) ?? nodeDisk;
  const timed =
    drive.model === undefined
      ? base
      : modelledDisk({
          disk: base,
          model: catalogueModel(drive.model),
          clock: preciseClock(monotonicNowMs),
          random: Math.random,
        });
  const disk = drive.disk === "drill" ? drillDisk(timed) : timed;
  return meter === undefined ? disk : meteredDisk(disk, meter, () => performance.now() * 1000);
}

function driveLogOptions(
  file: VaultFile,
  { driveId }: DriveConfig,
  policy: "ring" | "extents",
): Omit<LogOptions, "disk"> {
  const geometry = logGeometry(file, policy);
  return {
    crc32c,
    nowMs: monotonicNowMs,
    clusterId: Buffer.from(file.clusterId, "hex"),
    deviceId: Buffer.from(driveId, "hex"),
    ...geometry,
    batchBytesMax: Math.max(BATCH_BYTES, geometry.recordBytesMax + 16_384),
    batchesWaitingMax: BATCHES_WAITING_MAX,
  };
}

function logGeometry(
  { podVolume, stashVolume, pieceBytes, smallUploadBytesMax, scheme }: VaultFile,
  policy: "ring" | "extents",
) {
  const bodyBytesMax = policy === "ring" ? smallUploadBytesMax : Math.max(pieceBytes, smallUploadBytesMax);
  // Shards are padded to multiples of 64 bytes.
  const recordBytesMax = Math.ceil(bodyBytesMax / scheme.dataShardCount) + 64 + META_ROOM_BYTES;
  return { policy, ...(policy === "ring" ? stashVolume : podVolume), recordBytesMax };
}

/** Bytes of objects that an empty vault can store. */
export function vaultCapacityBytes(file: VaultFile): number {
  return bodyBytesIn(liveBytesMax(logGeometry(file, "extents"), "data"), file.scheme);
}

async function openOrFormat(options: OpenLogOptions, mayFormat: boolean): Promise<Opened> {
  try {
    return (await promisify(openLogKeeping<KeptRecord>)({ ...options, keep: keepRecord })) as Opened;
  } catch (error) {
    if ((error as LogError).code !== "not_formatted" || !mayFormat) throw error;
  }
  await promisify(formatLog)(options);
  return (await promisify(openLogKeeping<KeptRecord>)({ ...options, keep: keepRecord })) as Opened;
}
