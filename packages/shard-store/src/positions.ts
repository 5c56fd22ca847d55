/** What a state machine knows a record by; opaque to it. */
export type Position = number;

/**
 * The log knows a record by its key, a node by its position. Where a shard was sent twice, two positions mean the one
 * record that the log keeps, and only when both are let go of is it dead.
 */

export class Positions {
  #next = 1;
  readonly #keys = new Map<Position, string>();
  readonly #holders = new Map<string, number>();

  /** An append that may end in a position. */
  reserve(key: string): void {
    this.#holders.set(key, (this.#holders.get(key) ?? 0) + 1);
  }

  /** The position of an append that was reserved. */
  give(key: string): Position {
    const position = this.#next++;
    this.#keys.set(position, key);
    return position;
  }

  keyOf(position: Position): string | null {
    return this.#keys.get(position) ?? null;
  }

  /** Forgets an append that came to nothing. */
  cancel(key: string): void {
    this.#letGo(key);
  }

  /** Forgets a position; its key if nobody holds that any more, else null. */
  release(position: Position): string | null {
    const key = this.keyOf(position);
    if (key === null) return null;
    this.#keys.delete(position);
    return this.#letGo(key) ? key : null;
  }

  #letGo(key: string): boolean {
    const left = (this.#holders.get(key) ?? 1) - 1;
    if (left > 0) this.#holders.set(key, left);
    else this.#holders.delete(key);
    return left <= 0;
  }

  clear(): void {
    this.#keys.clear();
    this.#holders.clear();
  }
}
