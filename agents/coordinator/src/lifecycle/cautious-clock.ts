/**
 * The time at which objects expire. A wall clock set ahead would expire all of them at once, so the time is the earlier
 * one of the wall clock and a clock that never jumps; start.ts also limits it by the clocks of most machines. A clock
 * set back takes effect at once; one set ahead only if it stays ahead for a day. Expiring late is harmless.
 */
export interface CautiousClockOptions {
  readonly wallMs: () => number;
  /** Advances evenly, even if the wall clock is set. */
  readonly steadyMs: () => number;
}

/** Far more than a clock's daily correction, and negligible for rules that count in days. */
const TOLERANCE_MS = 60_000;
const SETTLED_AFTER_MS = 86_400_000;

interface Reading {
  readonly wallMs: number;
  readonly steadyMs: number;
}

export class CautiousClock {
  readonly #options: CautiousClockOptions;
  /** Last moment at which the wall clock was trusted without a comparison. */
  #base: Reading;
  /** First reading since the wall clock was set ahead; null if it was not. */
  #ahead: Reading | null = null;

  constructor(options: CautiousClockOptions) {
    this.#options = options;
    this.#base = this.#look();
  }

  #look(): Reading {
    return { wallMs: this.#options.wallMs(), steadyMs: this.#options.steadyMs() };
  }

  read(): number {
    const now = this.#look();
    const expectedMs = expectedAt(this.#base, now);
    if (now.wallMs < expectedMs) return this.#believe(now);
    if (now.wallMs - expectedMs <= TOLERANCE_MS) {
      this.#ahead = null;
      const isOld = now.steadyMs - this.#base.steadyMs >= SETTLED_AFTER_MS;
      return isOld ? this.#believe(now) : now.wallMs;
    }
    const isSameStep =
      this.#ahead !== null && Math.abs(now.wallMs - expectedAt(this.#ahead, now)) <= TOLERANCE_MS;
    if (this.#ahead === null || !isSameStep) this.#ahead = now;
    const isSettled = now.steadyMs - this.#ahead.steadyMs >= SETTLED_AFTER_MS;
    return isSettled ? this.#believe(now) : expectedMs;
  }

  #believe(now: Reading): number {
    this.#base = now;
    this.#ahead = null;
    return now.wallMs;
  }
}

function expectedAt(from: Reading, { steadyMs }: Reading): number {
  return from.wallMs + (steadyMs - from.steadyMs);
}

/**
 * Latest time that more than half of the clocks have reached. A clock that does not answer has reached none; of two,
 * the earlier one decides.
 */
export function majorityTime(clocksMs: readonly (number | null)[]): number {
  const reached = clocksMs.map((ms) => ms ?? Number.NEGATIVE_INFINITY).sort((a, b) => b - a);
  return reached[Math.floor(reached.length / 2)] ?? Number.NEGATIVE_INFINITY;
}
