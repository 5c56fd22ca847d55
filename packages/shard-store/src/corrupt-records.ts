/** Records found corrupt, and how long they have been: their loss is confirmed when a passing fault would have passed. */
export class CorruptRecords {
  readonly #after: (action: () => void) => void;
  readonly #confirm: (keys: readonly string[]) => void;
  #recent = new Set<string>();
  #lasting = new Set<string>();
  #isTimerSet = false;

  /** `after` runs an action when a fault has had its time to pass. Each key is confirmed after one or two such times. */
  constructor(after: (action: () => void) => void, confirm: (keys: readonly string[]) => void) {
    this.#after = after;
    this.#confirm = confirm;
  }

  add(key: string): void {
    if (this.#lasting.has(key)) return;
    this.#recent.add(key);
    this.#setTimer();
  }

  delete(key: string): void {
    this.#recent.delete(key);
    this.#lasting.delete(key);
  }

  keys(): string[] {
    return [...this.#lasting, ...this.#recent];
  }

  #setTimer(): void {
    if (this.#isTimerSet) return;
    this.#isTimerSet = true;
    this.#after(() => {
      this.#isTimerSet = false;
      if (this.#lasting.size > 0) this.#confirm([...this.#lasting]);
      for (const key of this.#recent) this.#lasting.add(key);
      const hasRecent = this.#recent.size > 0;
      this.#recent = new Set();
      if (hasRecent) this.#setTimer();
    });
  }
}
