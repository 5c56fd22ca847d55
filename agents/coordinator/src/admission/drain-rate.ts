/**
 * Measures how much work a lane completes per millisecond. Measures only while the lane is busy, because only then does
 * the rate show the vault's capacity instead of the demand. Recent work counts more, with a half-life of one second of
 * busy time, so the rate falls when the vault stalls.
 */

const HALF_LIFE_MS = 1000;
/** With less measured time, the rate would depend on a few lucky or unlucky uploads. */
const MEASURED_MS_MIN = 200;
/** The rate of an earlier busy period, perhaps of a stall, is dropped if the next one begins this much later. */
const FORGOTTEN_AFTER_MS = 5000;

export interface Rate {
  readonly costPerMs: number;
  readonly countPerMs: number;
}

export class DrainRate {
  #cost = 0;
  #count = 0;
  #ms = 0;
  #sinceMs: number | null = null;
  #lastBusyMs = 0;

  /** Records that the lane has become busy, or idle. */
  observe(isBusy: boolean, nowMs: number): void {
    if (this.#sinceMs !== null) this.#pass(nowMs - this.#sinceMs);
    else if (nowMs - this.#lastBusyMs > FORGOTTEN_AFTER_MS) this.#forget();
    if (this.#sinceMs !== null) this.#lastBusyMs = nowMs;
    this.#sinceMs = isBusy ? nowMs : null;
  }

  #pass(ms: number): void {
    if (ms <= 0) return;
    const kept = 2 ** (-ms / HALF_LIFE_MS);
    this.#cost *= kept;
    this.#count *= kept;
    this.#ms = this.#ms * kept + ms;
  }

  #forget(): void {
    this.#cost = 0;
    this.#count = 0;
    this.#ms = 0;
  }

  /** Records completed work of this cost, while the lane is busy. */
  done(cost: number): void {
    if (this.#sinceMs === null) return;
    this.#cost += cost;
    this.#count += 1;
  }

  /** Returns null until enough has been measured. */
  at(nowMs: number): Rate | null {
    this.observe(this.#sinceMs !== null, nowMs);
    if (this.#ms < MEASURED_MS_MIN) return null;
    return { costPerMs: this.#cost / this.#ms, countPerMs: this.#count / this.#ms };
  }
}
