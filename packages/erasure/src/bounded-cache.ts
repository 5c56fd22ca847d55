/** Cache of computed values by key; when it is full, it evicts the least recently used one. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #entryCountMax: number;

  constructor(entryCountMax: number) {
    this.#entryCountMax = entryCountMax;
  }

  get entryCount(): number {
    return this.#entries.size;
  }

  /** `make` must not return undefined. */
  get(key: string, make: () => Value): Value {
    const known = this.#entries.get(key);
    const value = known ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#entryCountMax) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest as string);
    }
    return value;
  }
}
