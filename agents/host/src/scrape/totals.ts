/** Converts a store's totals since its start into increases since its last answer. */
export class Totals {
  #known: ReadonlyMap<string, number> = new Map();
  #read = new Map<string, number>();

  /**
   * Returns null the first time, because earlier counts precede this agent, and if the total fell: the store restarted,
   * and its count until then is unknown.
   */
  added(key: string, total: number): number | null {
    const before = this.#known.get(key);
    this.#read.set(key, total);
    return before === undefined || total < before ? null : total - before;
  }

  /** Ends the reading of one answer. A total that is missing from it counts from zero when it returns. */
  endAnswer(): void {
    this.#known = this.#read;
    this.#read = new Map();
  }
}
