/**
 * Milliseconds since 1970, counted from the start of the process, so that they never go back when the wall clock is
 * set.
 */
export const monotonicNowMs = (): number => performance.timeOrigin + performance.now();

/** NTP slews within a second; a larger difference is a step. */
const SLEW_MS_MAX = 1000;
/** Bounds the cost of readings: every event of a machine needs the difference. */
const LOOK_EVERY_MS = 1;
/**
 * Readings are rounded to a millisecond, and each change is an event for every machine, so smaller differences are
 * ignored.
 */
const CHANGE_MS_MIN = 5;
/**
 * Time that a step forward must last before it counts: a momentary error of an NTP server must not advance every
 * later version order of a vault.
 */
export const STEP_STANDS_MS = 60_000;

/**
 * Follows the difference between the wall clock and the monotonic one, for version orders and modification times. Slews
 * and steps back count at once: version orders wait for the clock and never go back themselves. A step forward of more
 * than a second counts once it has lasted a minute, because orders assigned ahead of time stay ahead.
 */
export class WallClock {
  readonly #wallMs: () => number;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #aheadMs = 0;
  /** Forward step that is not applied yet: its beginning, and its minimum since then. */
  #step: { readonly sinceMs: number; leastMs: number } | null = null;

  constructor(wallMs: () => number) {
    this.#wallMs = wallMs;
  }

  /** `nowMs` is the current value of the monotonic clock. */
  aheadMs(nowMs: number): number {
    if (nowMs - this.#lookedMs < LOOK_EVERY_MS) return this.#aheadMs;
    this.#lookedMs = nowMs;
    const seenMs = Math.round(this.#wallMs() - nowMs);
    if (seenMs - this.#aheadMs <= SLEW_MS_MAX) {
      this.#step = null;
      if (Math.abs(seenMs - this.#aheadMs) >= CHANGE_MS_MIN) this.#aheadMs = seenMs;
      return this.#aheadMs;
    }
    // The minute starts again if part of the step is reverted.
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

/**
 * Milliseconds by which the wall clock of this process is ahead of `monotonicNowMs`, which has just returned `nowMs`.
 */
export const wallAheadMs = (nowMs: number): number => wallClock.aheadMs(nowMs);
