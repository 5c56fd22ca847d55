/**
 * Records found corrupt, and the time since then: their loss is confirmed once a transient fault would have passed. If
 * many are found within two periods, a controller is probably at fault rather than the medium, and may recover. They
 * are live records of one drive, so the log's index bounds their number.
 */
import { CORRELATED_COUNT_MIN } from "@stashlight/write-path";

export class CorruptRecords {
  readonly #after: (action: () => void) => void;
  readonly #confirm: (keys: readonly string[]) => void;
  /** True for a record that has stayed corrupt longer than a transient fault lasts. */
  readonly #isLasting = new Map<string, boolean>();
  /** Number of records found in this period and in the previous one. */
  #foundCount = 0;
  #foundBeforeCount = 0;
  #isTimerSet = false;

  /**
   * `after` runs an action once a transient fault has had time to pass. Each key is confirmed after one or two such
   * periods, and later while many are found.
   */
  constructor(after: (action: () => void) => void, confirm: (keys: readonly string[]) => void) {
    this.#after = after;
    this.#confirm = confirm;
  }

  add(key: string): void {
    if (!this.#isLasting.has(key)) {
      this.#isLasting.set(key, false);
      this.#foundCount += 1;
    }
    // Starts the timer again: a record that has been read correctly since then must be confirmed again.
    this.#setTimer();
  }

  delete(key: string): void {
    this.#isLasting.delete(key);
  }

  /** Returns the next keys in turn, at most `countMax`. */
  nextKeys(countMax: number): string[] {
    const next: [string, boolean][] = [];
    for (const each of this.#isLasting) {
      if (next.length === countMax) break;
      next.push(each);
    }
    for (const [key, isLasting] of next) {
      this.#isLasting.delete(key);
      this.#isLasting.set(key, isLasting);
    }
    return next.map(([key]) => key);
  }

  #setTimer(): void {
    if (this.#isTimerSet) return;
    this.#isTimerSet = true;
    this.#after(() => {
      this.#isTimerSet = false;
      this.#endPeriod();
    });
  }

  #endPeriod(): void {
    const lasting: string[] = [];
    for (const [key, isLasting] of this.#isLasting) {
      if (isLasting) lasting.push(key);
      else this.#isLasting.set(key, true);
    }
    const isCorrelated = this.#foundCount + this.#foundBeforeCount > CORRELATED_COUNT_MIN;
    if (!isCorrelated && lasting.length > 0) this.#confirm(lasting);
    if (isCorrelated || this.#foundCount > 0) this.#setTimer();
    this.#foundBeforeCount = this.#foundCount;
    this.#foundCount = 0;
  }
}
