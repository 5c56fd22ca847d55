/**
 * Fluid model of the stash between the stretches that were run. Shards stay for their usual residence (Little's law
 * with the residence that a stretch measured). Shards of absent pods grow with every upload and drain when the pods
 * return: first pulled, then flushed, then purged, at the rates measured in the stretch and of the drive.
 */
import type { DriveTimes } from "./drives.ts";

/** Pods flush this long after the first unflushed write, and purge the stash this long after the flush. */
export const FLUSH_AFTER_SECONDS = 5;
export const PURGE_AFTER_SECONDS = 0.1;

export interface FluidRates {
  /** Bytes in their usual residence on the stash. */
  readonly steadyBytes: number;
  /** Bytes per second that arrive for absent pods. */
  readonly heldBytesPerSecond: number;
  readonly awayPodCount: number;
}

export interface FluidOptions {
  readonly usableBytes: number;
  readonly podTimes: DriveTimes;
  /** Pull rate of one pod that has returned. */
  readonly pullBytesPerSecond: number;
}

/** Default rate of a drive whose throughput is unknown. */
const UNKNOWN_DRIVE_BYTES_PER_SECOND = 200e6;
/** Draw that selects a drive's median sync time. */
const MEDIAN_DRAW = 0.5;

export class Fluid {
  readonly #options: FluidOptions;
  /** Bytes on the stash but not yet on their pod. */
  #waitingBytes = 0;
  /** Bytes that arrived on their pod since the last flush began. */
  #dirtyBytes = 0;
  #flushingBytes = 0;
  #flushEndsAt: number | null = null;
  #nextFlushAt: number | null = null;
  #returnedPodCount = 0;
  #lastAwayCount = 0;
  isFull = false;

  constructor(options: FluidOptions) {
    this.#options = options;
  }

  get heldBytes(): number {
    return this.#waitingBytes + this.#dirtyBytes + this.#flushingBytes;
  }

  /** Advances from `second` by `seconds`; returns the level at the end. */
  pass(second: number, seconds: number, rates: FluidRates): number {
    const { usableBytes } = this.#options;
    if (this.#lastAwayCount > 0 && rates.awayPodCount === 0) {
      this.#returnedPodCount = this.#lastAwayCount;
      this.#nextFlushAt = second + FLUSH_AFTER_SECONDS;
    }
    this.#lastAwayCount = rates.awayPodCount;
    const level = rates.steadyBytes + this.heldBytes;
    this.isFull = level >= usableBytes;
    if (rates.awayPodCount > 0) {
      const room = Math.max(0, usableBytes - level);
      this.#waitingBytes += Math.min(room, rates.heldBytesPerSecond * seconds);
    } else if (this.heldBytes > 0) this.#drain(second, seconds);
    return Math.min(usableBytes, rates.steadyBytes + this.heldBytes);
  }

  #drain(second: number, seconds: number): void {
    const { podTimes, pullBytesPerSecond } = this.#options;
    const podCount = Math.max(1, this.#returnedPodCount);
    const pulled = Math.min(this.#waitingBytes, pullBytesPerSecond * podCount * seconds);
    this.#waitingBytes -= pulled;
    this.#dirtyBytes += pulled;
    if (this.#flushEndsAt !== null && second >= this.#flushEndsAt) {
      this.#flushingBytes = 0;
      this.#flushEndsAt = null;
    }
    const isDue = this.#flushEndsAt === null && this.#nextFlushAt !== null && second >= this.#nextFlushAt;
    if (!isDue || this.#dirtyBytes === 0) return;
    this.#flushingBytes = this.#dirtyBytes;
    this.#dirtyBytes = 0;
    const syncSeconds = podTimes.syncUs(this.#flushingBytes / podCount, MEDIAN_DRAW) / 1e6;
    this.#flushEndsAt = second + syncSeconds + PURGE_AFTER_SECONDS;
    this.#nextFlushAt = second + Math.max(syncSeconds, FLUSH_AFTER_SECONDS);
  }
}

export function rebuildPullRate(
  replay: { readonly seconds: number; readonly shardCount: number } | null,
  recordBytes: number,
  podTimes: DriveTimes,
): number {
  if (replay === null || replay.seconds === 0)
    return podTimes.bytesPerSecond ?? UNKNOWN_DRIVE_BYTES_PER_SECOND;
  return (replay.shardCount * recordBytes) / replay.seconds;
}
