/** Progress of a long operation: the remainder, its maximum, and the rate. */

export interface Progress {
  readonly left: number;
  /** Maximum of the remainder since it was last zero; it grows with work that arrives meanwhile. */
  readonly total: number;
  /** Rate over the last minute; null until it is known, and while the remainder does not shrink. */
  readonly perSecond: number | null;
}

const OVER_MS = 60_000;
/** Rates over less time than this are noise. */
const OVER_MS_MIN = 5000;
const POINT_EVERY_MS = 2000;

export class Countdown {
  readonly #points: { readonly atMs: number; readonly left: number }[] = [];
  #total = 0;
  #left = 0;

  /** Records the remainder. Called at least once per second. */
  note(left: number, atMs: number): void {
    this.#left = left;
    const before = this.#points.at(-1);
    if (left === 0 || left > this.#total) {
      // Starts again: earlier progress does not predict the rate of the rest.
      this.#total = left;
      this.#points.length = 0;
    } else if (before !== undefined && atMs - before.atMs < POINT_EVERY_MS) return;
    this.#points.push({ atMs, left });
    while (atMs - (this.#points[0]?.atMs ?? atMs) > OVER_MS) this.#points.shift();
  }

  progress(): Progress {
    const [first, last] = [this.#points[0], this.#points.at(-1)];
    const overMs = first === undefined || last === undefined ? 0 : last.atMs - first.atMs;
    const doneCount = (first?.left ?? 0) - (last?.left ?? 0);
    const perSecond = overMs < OVER_MS_MIN || doneCount <= 0 ? null : (doneCount * 1000) / overMs;
    return { left: this.#left, total: this.#total, perSecond };
  }
}

/** Returns null while the time is unknown. */
export function secondsLeft({ left, perSecond }: Progress): number | null {
  if (left === 0) return 0;
  return perSecond === null ? null : left / perSecond;
}
