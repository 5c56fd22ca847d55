/** From totals that a store counts since it began to what was added since its last answer. */
export class Totals {
  #known: ReadonlyMap<string, number> = new Map();
  #read = new Map<string, number>();

  /**
   * Null the first time, because what came before is not of this agent's time, and where the total fell: the store began
   * anew, and nobody knows what it had counted until then.
   */
  added(key: string, total: number): number | null {
    const before = this.#known.get(key);
    this.#read.set(key, total);
    return before === undefined || total < before ? null : total - before;
  }

  /** Ends an answer. What was not in it begins anew when it is back. */
  endAnswer(): void {
    this.#known = this.#read;
    this.#read = new Map();
  }
}
