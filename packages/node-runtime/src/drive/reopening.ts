/** Decides when to reopen a drive, and which losses it may then accept. */
import { MINUTE_MS } from "@stashlight/contracts/time";

const RETRY_MS_MIN = 1000;
/**
 * A transient fault must not delay the drive by more than 30 s: at most 10 s until the next attempt, and the rest for
 * recovery. An attempt on a drive that is still broken costs its node a few reads.
 */
const RETRY_MS_MAX = 10_000;
/** A drive that fails sooner after it was opened has not recovered, and the delay is not reset. */
const WELL_AFTER_MS = MINUTE_MS;
/**
 * Resets of controllers, switches and storage servers have ended by then, so data that is still unreadable is on bad
 * sectors.
 */
const TOLERATES_AFTER_MS = 10 * MINUTE_MS;
/** 256 KiB: some bad sectors. A drive with more of them at the start of its logs should not return automatically. */
export const UNREADABLE_PAGES_TOLERATED = 64;

export class Reopening {
  readonly #retryMsMax: number;
  #retryMs = RETRY_MS_MIN;
  #openedMs: number | null = null;
  /** Time of the first failure to open since the drive was last opened. */
  #unopenedSinceMs: number | null = null;
  /** Time since which every attempt has found segments that may hide records. */
  #suspectSinceMs: number | null = null;

  constructor(retryMsMax = RETRY_MS_MAX) {
    this.#retryMsMax = retryMsMax;
  }

  opened(nowMs: number, suspectSegmentCount: number): void {
    this.#openedMs = nowMs;
    this.#unopenedSinceMs = null;
    this.#suspectSinceMs = suspectSegmentCount === 0 ? null : (this.#suspectSinceMs ?? nowMs);
  }

  /** Returns true once a transient fault would have passed: records that several segments have lost are gone. */
  acceptsLosses(nowMs: number): boolean {
    return this.#suspectSinceMs !== null && nowMs - this.#suspectSinceMs >= TOLERATES_AFTER_MS;
  }

  /** Called if the drive could not be opened because its device did not answer. */
  openingFailed(nowMs: number): void {
    this.#unopenedSinceMs ??= nowMs;
  }

  /** Called when the drive is closed, or could not be opened; returns the delay until the next attempt. */
  failed(nowMs: number): number {
    if (this.#openedMs !== null && nowMs - this.#openedMs >= WELL_AFTER_MS) this.#retryMs = RETRY_MS_MIN;
    this.#openedMs = null;
    const retryAfterMs = this.#retryMs;
    this.#retryMs = Math.min(this.#retryMsMax, retryAfterMs * 2);
    return retryAfterMs;
  }

  /** Returns the number of tolerated pages: one bad sector must not exclude a drive of 16 TB forever. */
  unreadablePagesMax(nowMs: number): number {
    const isDue = this.#unopenedSinceMs !== null && nowMs - this.#unopenedSinceMs >= TOLERATES_AFTER_MS;
    return isDue ? UNREADABLE_PAGES_TOLERATED : 0;
  }
}
