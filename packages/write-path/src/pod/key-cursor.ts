/** Keys of a bucket in the order of their UTF-8 bytes, one after another. The index must not change meanwhile. */
import { compareKeys } from "../key-order.ts";

export interface KeyCursor {
  /** Returns null after the last key. */
  next(): string | null;
  /** Skips the remaining keys with this prefix, which the last key that `next` returned must have. */
  skip(prefix: string): void;
}

/** Sorts after every other character, so `prefix + LAST` sorts after nearly all keys with that prefix. */
const LAST = "\u{10ffff}";

/** Keys of open entries; `skip` starts another search. */
export class OpenKeys implements KeyCursor {
  readonly #keysFrom: (start: string) => Iterable<string>;
  #keys: Iterator<string>;
  #skipped: string | null = null;

  constructor(keysFrom: (start: string) => Iterable<string>, start: string) {
    this.#keysFrom = keysFrom;
    this.#keys = keysFrom(start)[Symbol.iterator]();
  }

  next(): string | null {
    for (;;) {
      const next = this.#keys.next();
      if (next.done) return null;
      if (this.#skipped === null || !next.value.startsWith(this.#skipped)) return next.value;
    }
  }

  skip(prefix: string): void {
    this.#skipped = prefix;
    this.#keys = this.#keysFrom(prefix + LAST)[Symbol.iterator]();
  }
}

/** Merges two cursors; returns a key that both have once. */
export class MergedKeys implements KeyCursor {
  readonly #sides: readonly [KeyCursor, KeyCursor];
  /** Next key of each side. */
  readonly #heads: [string | null, string | null];

  constructor(one: KeyCursor, other: KeyCursor) {
    this.#sides = [one, other];
    this.#heads = [one.next(), other.next()];
  }

  next(): string | null {
    const [one, other] = this.#heads;
    if (one === null && other === null) return null;
    const order = one === null ? 1 : other === null ? -1 : compareKeys(one, other);
    if (order <= 0) this.#advance(0);
    if (order >= 0) this.#advance(1);
    return order <= 0 ? one : other;
  }

  skip(prefix: string): void {
    for (const side of [0, 1] as const) {
      if (!this.#heads[side]?.startsWith(prefix)) continue;
      this.#sides[side].skip(prefix);
      this.#advance(side);
    }
  }

  #advance(side: 0 | 1): void {
    this.#heads[side] = this.#sides[side].next();
  }
}
