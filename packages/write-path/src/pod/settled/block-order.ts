/** The blocks in the order of their rows: a sequence of short lists, so that adding a block moves few others. */
import type { Block } from "./block.ts";
import type { NameBuffer } from "./name-buffer.ts";

const LIST_LENGTH_MAX = 512;

/** Index of a list, and of a block in it. */
export interface BlockPlace {
  readonly list: number;
  readonly at: number;
}

export class BlockOrder {
  readonly #lists: number[][] = [];
  readonly #blockAt: (number: number) => Block;

  constructor(blockAt: (number: number) => Block) {
    this.#blockAt = blockAt;
  }

  numberAt({ list, at }: BlockPlace): number {
    return this.#lists[list]?.[at] as number;
  }

  /** Finds the last block that does not begin above a version, or the first block; a null order is below all versions. */
  find(name: NameBuffer, order: Buffer | null): BlockPlace | null {
    if (this.#lists.length === 0) return null;
    const isBelow = (number: number): boolean => this.#blockAt(number).compareFirst(name, order) <= 0;
    const list = lastIndex(this.#lists, (numbers) => isBelow(numbers[0] as number));
    return { list, at: lastIndex(this.#lists[list] as number[], isBelow) };
  }

  next({ list, at }: BlockPlace): BlockPlace | null {
    if (at + 1 < (this.#lists[list] as number[]).length) return { list, at: at + 1 };
    return list + 1 < this.#lists.length ? { list: list + 1, at: 0 } : null;
  }

  before({ list, at }: BlockPlace): BlockPlace | null {
    if (at > 0) return { list, at: at - 1 };
    return list > 0 ? { list: list - 1, at: (this.#lists[list - 1] as number[]).length - 1 } : null;
  }

  /** Adds the first block. */
  begin(number: number): void {
    this.#lists.push([number]);
  }

  insertBefore({ list, at }: BlockPlace, number: number): void {
    const numbers = this.#lists[list] as number[];
    numbers.splice(at, 0, number);
    if (numbers.length > LIST_LENGTH_MAX)
      this.#lists.splice(list + 1, 0, numbers.splice(LIST_LENGTH_MAX / 2));
  }

  insertAfter({ list, at }: BlockPlace, number: number): void {
    this.insertBefore({ list, at: at + 1 }, number);
  }

  remove({ list, at }: BlockPlace): void {
    const numbers = this.#lists[list] as number[];
    numbers.splice(at, 1);
    if (numbers.length === 0) this.#lists.splice(list, 1);
  }
}

/** Index of the last item that is below; 0 if none is. */
function lastIndex<Item>(items: readonly Item[], isBelow: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
