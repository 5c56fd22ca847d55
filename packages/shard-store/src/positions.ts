/** What a state machine knows a record by; opaque to it. */
export type Position = number;

interface Group {
  readonly keys: (string | null)[];
  heldCount: number;
}

const GROUP_SIZE = 64;

/**
 * The log knows a record by its key, a node by its position. Where a shard was sent twice, two positions mean the one
 * record that the log keeps, and only when both are let go of is it dead. Of the many keys that one position means,
 * nothing is kept but the key itself.
 */
export class Positions {
  /** In groups that are dropped once all of their positions have been released. */
  readonly #groups = new Map<number, Group>();
  #next = 0;
  /** How many appends and positions mean a key, beyond the first. */
  readonly #more = new Map<string, number>();

  /** An append that may end in a position; `isHeld`: others mean the key already. */
  reserve(key: string, isHeld: boolean): void {
    if (isHeld) this.#more.set(key, (this.#more.get(key) ?? 0) + 1);
  }

  /** The position of an append that was reserved. */
  give(key: string): Position {
    const position = this.#next++;
    const number = Math.floor(position / GROUP_SIZE);
    const group = this.#groups.get(number);
    if (group === undefined) this.#groups.set(number, { keys: [key], heldCount: 1 });
    else {
      group.keys.push(key);
      group.heldCount += 1;
    }
    return position;
  }

  keyOf(position: Position): string | null {
    return this.#groups.get(Math.floor(position / GROUP_SIZE))?.keys[position % GROUP_SIZE] ?? null;
  }

  /** Forgets an append that came to nothing; says whether nobody else holds the key. */
  cancel(key: string): boolean {
    return this.#letGo(key);
  }

  /** Forgets a position; its key if nobody holds that any more, else null. */
  release(position: Position): string | null {
    const key = this.keyOf(position);
    if (key === null) return null;
    const number = Math.floor(position / GROUP_SIZE);
    const group = this.#groups.get(number) as Group;
    group.keys[position % GROUP_SIZE] = null;
    group.heldCount -= 1;
    if (group.heldCount === 0 && group.keys.length === GROUP_SIZE) this.#groups.delete(number);
    return this.#letGo(key) ? key : null;
  }

  #letGo(key: string): boolean {
    const more = this.#more.get(key) ?? 0;
    if (more > 1) this.#more.set(key, more - 1);
    else this.#more.delete(key);
    return more === 0;
  }
}
