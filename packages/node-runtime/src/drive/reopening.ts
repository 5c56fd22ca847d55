/** Decides when a drive is opened again, and which losses opening may then accept. */
import { MINUTE_MS } from "@stashlight/contracts/time/duration";

const RETRY_MS_MIN = 1000;
/**
 * A fault that passes must not outlast itself by more than 30 s: at most 10 s until the next try, and the rest for
 * recovery. A try of a drive that is still broken costs its node a few reads.
 */
const RETRY_MS_MAX = 10_000;
/** A drive that fails sooner after it was opened has not recovered, and is not tried more often again. */
const WELL_AFTER_MS = MINUTE_MS;
/** Resets of controllers, switches and storage servers are over by then. What still cannot be read is a bad sector. */
const TOLERATES_AFTER_MS = 10 * MINUTE_MS;
/** 256 KiB: some bad sectors. A drive with more of them where its logs begin should not come back by itself. */
export const UNREADABLE_PAGES_TOLERATED = 64;

export class Reopening {
  readonly #retryMsMax: number;
  #retryMs = RETRY_MS_MIN;
  #openedMs: number | null = null;
  /** When opening failed for the first time since the drive was last opened. */
  #unopenedSinceMs: number | null = null;
  /** Since when each opening has found segments that are suspected to hide records. */
  #suspectSinceMs: number | null = null;

  constructor(retryMsMax = RETRY_MS_MAX) {
    this.#retryMsMax = retryMsMax;
  }

  opened(nowMs: number, suspectSegmentCount: number): void {
    this.#openedMs = nowMs;
    this.#unopenedSinceMs = null;
    this.#suspectSinceMs = suspectSegmentCount === 0 ? null : (this.#suspectSinceMs ?? nowMs);
  }

  /** Returns true once a fault that passes has had its time: records that several segments have lost are gone. */
  acceptsLosses(nowMs: number): boolean {
    return this.#suspectSinceMs !== null && nowMs - this.#suspectSinceMs >= TOLERATES_AFTER_MS;
  }

  /** The drive could not be opened because its device did not answer. */
  openingFailed(nowMs: number): void {
    this.#unopenedSinceMs ??= nowMs;
  }

  /** The drive is closed, or was not opened; returns the time until the next try. */
  failed(nowMs: number): number {
    if (this.#openedMs !== null && nowMs - this.#openedMs >= WELL_AFTER_MS) this.#retryMs = RETRY_MS_MIN;
    this.#openedMs = null;
    const retryAfterMs = this.#retryMs;
    this.#retryMs = Math.min(this.#retryMsMax, retryAfterMs * 2);
    return retryAfterMs;
  }

  /** One bad sector must not keep a drive of 16 TB out for ever. */
  unreadablePagesMax(nowMs: number): number {
    const isDue = this.#unopenedSinceMs !== null && nowMs - this.#unopenedSinceMs >= TOLERATES_AFTER_MS;
    return isDue ? UNREADABLE_PAGES_TOLERATED : 0;
  }
}
