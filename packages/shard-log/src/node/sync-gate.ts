/**
 * Limits the concurrent syncs of a process. Each occupies a thread for as long as its drive takes, and there are fewer
 * threads than drives, so too many at once would delay the writes that uploads wait for. A slow sync no longer counts
 * towards the limit: drives that hang do not keep others from being synced.
 */
export class SyncGate {
  readonly #countMax: number;
  readonly #slowMs: number;
  readonly #waiting: (() => void)[] = [];
  #count = 0;

  constructor(countMax: number, slowMs: number) {
    this.#countMax = countMax;
    this.#slowMs = slowMs;
  }

  /** Calls `start` now or later, which calls `end` when its sync has ended. */
  run(start: (end: () => void) => void): void {
    if (this.#count < this.#countMax) this.#begin(start);
    else this.#waiting.push(() => this.#begin(start));
  }

  #begin(start: (end: () => void) => void): void {
    this.#count += 1;
    let isCounted = true;
    const end = (): void => {
      if (!isCounted) return;
      isCounted = false;
      clearTimeout(slow);
      this.#count -= 1;
      this.#waiting.shift()?.();
    };
    const slow = setTimeout(end, this.#slowMs);
    start(end);
  }
}
