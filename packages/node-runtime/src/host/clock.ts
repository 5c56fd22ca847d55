/** Milliseconds since 1970, counted on from the start of the process: it never goes back, whatever is done to the wall clock. */
export const monotonicNowMs = (): number => performance.timeOrigin + performance.now();

/** NTP slews within a second; a larger difference is a step. */
const SLEW_MS_MAX = 1000;
/** Bounds the cost: every event of a machine asks for the difference. */
const LOOK_EVERY_MS = 1;
/** A reading is rounded to a millisecond, and each change is an event for every machine. */
const CHANGE_MS_MIN = 5;
/** A server of NTP that is wrong for a moment must not put every order of a vault ahead. */
export const STEP_STANDS_MS = 60_000;

/**
 * Follows how far the wall clock is ahead of the monotonic one, for version orders and times of modification. Slews, and
 * steps back, count at once: version orders wait for the clock and never go back themselves. A step forward of more than
 * a second counts once it has lasted a minute, because orders that were given ahead of time stay ahead.
 */
export class WallClock {
  readonly #wallMs: () => number;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #aheadMs = 0;
  /** The least of a step forward since it began. */
  #step: { readonly sinceMs: number; leastMs: number } | null = null;

  constructor(wallMs: () => number) {
    this.#wallMs = wallMs;
  }

  /** `nowMs` is what the monotonic clock has just shown. */
  aheadMs(nowMs: number): number {
    if (nowMs - this.#lookedMs < LOOK_EVERY_MS) return this.#aheadMs;
    this.#lookedMs = nowMs;
    const seenMs = Math.round(this.#wallMs() - nowMs);
    if (seenMs - this.#aheadMs <= SLEW_MS_MAX) {
      this.#step = null;
      if (Math.abs(seenMs - this.#aheadMs) >= CHANGE_MS_MIN) this.#aheadMs = seenMs;
      return this.#aheadMs;
    }
    // A step that was taken back in part begins anew.
    if (this.#step === null || seenMs < this.#step.leastMs - SLEW_MS_MAX) {
      this.#step = { sinceMs: nowMs, leastMs: seenMs };
    }
    this.#step.leastMs = Math.min(this.#step.leastMs, seenMs);
    if (nowMs - this.#step.sinceMs < STEP_STANDS_MS) return this.#aheadMs;
    this.#aheadMs = this.#step.leastMs;
    this.#step = null;
    return this.#aheadMs;
  }
}

const wallClock = new WallClock(Date.now);

/** Milliseconds that the wall clock of this process is ahead of `monotonicNowMs`, which has just shown `nowMs`. */
export const wallAheadMs = (nowMs: number): number => wallClock.aheadMs(nowMs);
