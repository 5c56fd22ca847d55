import assert from "node:assert/strict";
import type { PageMemory } from "@stashlight/paged-memory";
import type { Disk } from "./disk.ts";
import { LogError } from "./errors.ts";
import { alignPage, type Crc32c, FRAME_HEADER_BYTES, ID_BYTES, PAGE_BYTES, recordBytes } from "./format.ts";
import type { LogPolicy } from "./header-page.ts";

export interface LogOptions {
  readonly disk: Disk;
  readonly crc32c: Crc32c;
  /** Returns milliseconds of a clock that neither goes back nor jumps. */
  readonly nowMs: () => number;
  /** Both ids have 16 bytes; a volume of another cluster or device is refused. */
  readonly clusterId: Uint8Array;
  readonly deviceId: Uint8Array;
  readonly policy: LogPolicy;
  readonly segmentBytes: number;
  readonly segmentCount: number;
  /** Maximum bytes of one frame. */
  readonly batchBytesMax: number;
  /** Maximum bytes of meta and payload of one record together. */
  readonly recordBytesMax: number;
  /** Number of full batches that may wait behind the one being written before `append` answers `log_busy`. */
  readonly batchesWaitingMax: number;
  /**
   * Number of 4 KiB pages that may be unreadable when the log is opened; with more, opening fails. Their segments are
   * not used again in this boot. Defaults to 0.
   */
  readonly unreadablePagesMax?: number;
  /**
   * Gives up records that several segments have lost, because an earlier boot found the same loss a while ago.
   * Otherwise those segments are kept for a later boot. Defaults to false.
   */
  readonly acceptsLosses?: boolean;
  /**
   * Memory of the log's index, for one opening only: neither a failed opening nor a closed log returns its pages.
   * Unlimited if omitted.
   */
  readonly memory?: PageMemory;
  /** Memory of the headers that an opening reads, until `release`. Unlimited if omitted. */
  readonly startMemory?: PageMemory;
}

/** Number of free segments that appends do not use: one for purge lists, one for compaction. */
export const RESERVE_SEGMENTS = 2;

/** Bytes of a segment that frames can use: all but the header page and its copy. */
export const frameSpace = (segmentBytes: number): number => segmentBytes - 2 * PAGE_BYTES;

/** Maximum useful size of a segment's checkpoint; beyond it, scanning the segment costs little more. */
export const checkpointBytesMax = (segmentBytes: number): number => Math.floor(frameSpace(segmentBytes) / 8);

/** Bytes of a frame with the largest record and a page of purges. */
export function largestFrameBytes(recordBytesMax: number): number {
  return alignPage(FRAME_HEADER_BYTES + recordBytes(0, recordBytesMax)) + PAGE_BYTES;
}

export function checkOptions(options: LogOptions): LogError | null {
  assert.equal(options.clusterId.length, ID_BYTES, "A cluster id has 16 bytes.");
  assert.equal(options.deviceId.length, ID_BYTES, "A device id has 16 bytes.");
  const { segmentBytes, segmentCount, batchBytesMax, recordBytesMax } = options;
  if (segmentBytes % PAGE_BYTES !== 0 || segmentBytes < 8 * PAGE_BYTES || segmentBytes > 2 ** 36) {
    return refuse(`segmentBytes must be whole 4 KiB pages from 32 KiB to 64 GiB, but is ${segmentBytes}.`);
  }
  if (!Number.isInteger(segmentCount) || segmentCount < RESERVE_SEGMENTS + 2 || segmentCount > 65_536) {
    return refuse(`segmentCount must be from ${RESERVE_SEGMENTS + 2} to 65536, but is ${segmentCount}.`);
  }
  // A record must fit into a fresh segment together with the largest checkpoint and a page of purges.
  const largestFrame = largestFrameBytes(recordBytesMax) + PAGE_BYTES;
  if (largestFrame + alignPage(checkpointBytesMax(segmentBytes)) > frameSpace(segmentBytes)) {
    return refuse(`recordBytesMax ${recordBytesMax} is too large for segments of ${segmentBytes} bytes.`);
  }
  if (batchBytesMax < largestFrame || batchBytesMax > 2 ** 30) {
    return refuse(`batchBytesMax must be from ${largestFrame} to 2^30, but is ${batchBytesMax}.`);
  }
  if (recordBytesMax < 1 || options.batchesWaitingMax < 1) {
    return refuse("recordBytesMax and batchesWaitingMax must be at least 1.");
  }
  return null;
}

function refuse(message: string): LogError {
  return new LogError("invalid_options", message);
}
