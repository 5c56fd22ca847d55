/**
 * Finds numbers by keys that arrive nearly in order: a key is an order word and a hash. Each bucket is a page of sorted
 * slots that covers the keys from its lower bound to the next one, so that consecutive keys share a page, however large the
 * table is. A key may occur several times, with different numbers or the same one.
 *
 * A key after all those of a full bucket begins the next one, so that ascending keys leave full pages behind. Other
 * keys make a full bucket share its slots with a neighbour that has space, or else split it. A sparse bucket is joined
 * with a neighbour, and an empty bucket's page is freed.
 */
import assert from "node:assert/strict";
import { PAGE_WORDS, type Page } from "./page-buffer.ts";
import type { PageMemory } from "./page-memory.ts";

export const NOT_FOUND = -1;
/** Words of a slot: order word, hash, and the number plus one. */
const SLOT_WORDS = 3;
const SLOTS = Math.floor(PAGE_WORDS / SLOT_WORDS);
/** A bucket with more slots takes no slots from a neighbour. */
const SHARING_MAX = 0.75 * SLOTS;
/** A bucket with fewer slots is joined with a neighbour, if both together have at most `JOINED_MAX`. */
const SPARSE = SLOTS / 4;
const JOINED_MAX = SLOTS / 2;
const BUCKETS_AT_FIRST = 16;

/** State of a table apart from its pages: each array has one element per bucket. */
export interface SavedTable {
  readonly orders: Uint32Array;
  readonly hashes: Uint32Array;
  readonly pages: Int32Array;
  readonly counts: Uint16Array;
}

/** A slot of a bucket. */
interface Place {
  readonly bucket: number;
  readonly slot: number;
}

export class OrderedTable {
  readonly #memory: PageMemory;
  #bucketCount = 0;
  /** Lower bound of each bucket, in ascending order; the first one is ignored. */
  #orders = new Uint32Array(BUCKETS_AT_FIRST);
  #hashes = new Uint32Array(BUCKETS_AT_FIRST);
  #pages = new Int32Array(BUCKETS_AT_FIRST);
  /** Number of used slots of each bucket. */
  #counts = new Uint16Array(BUCKETS_AT_FIRST);

  /** With `saved`, continues a table whose pages the memory has adopted. */
  constructor(memory: PageMemory, saved: SavedTable | null = null) {
    this.#memory = memory;
    if (saved === null) return;
    this.#bucketCount = saved.pages.length;
    this.#enlarge(Math.max(BUCKETS_AT_FIRST, saved.pages.length), saved);
  }

  save(): SavedTable {
    const end = this.#bucketCount;
    return {
      orders: this.#orders.slice(0, end),
      hashes: this.#hashes.slice(0, end),
      pages: this.#pages.slice(0, end),
      counts: this.#counts.slice(0, end),
    };
  }

  /** Number of buckets; each has one page. */
  get bucketCount(): number {
    return this.#bucketCount;
  }

  /** Returns the first matching number of this key, or NOT_FOUND. */
  find(order: number, hash: number, isMeant: (number: number) => boolean): number {
    for (let bucket = this.#firstBucket(order, hash); this.#mayHave(bucket, order, hash); bucket++) {
      const { words } = this.#memory.look(this.#pages[bucket] as Page);
      const end = this.#counts[bucket] as number;
      for (let slot = slotFrom(words, end, order, hash); isOfKey(words, slot, end, order, hash); slot++) {
        const number = (words[SLOT_WORDS * slot + 2] as number) - 1;
        if (isMeant(number)) return number;
      }
    }
    return NOT_FOUND;
  }

  add(order: number, hash: number, number: number): void {
    if (this.#bucketCount === 0) this.#insertBucket(0, order, hash);
    for (;;) {
      const bucket = this.#lastBucket(order, hash);
      const count = this.#counts[bucket] as number;
      const page = this.#pages[bucket] as Page;
      const slot = slotFrom(this.#memory.look(page).words, count, order, hash);
      if (count < SLOTS) {
        const { words } = this.#memory.change(page);
        const at = SLOT_WORDS * slot;
        words.copyWithin(at + SLOT_WORDS, at, SLOT_WORDS * count);
        words[at] = order;
        words[at + 1] = hash;
        words[at + 2] = number + 1;
        this.#counts[bucket] = count + 1;
        return;
      }
      if (slot === count) this.#insertBucket(bucket + 1, order, hash);
      else if (!this.#isSpacious(bucket - 1) && !this.#isSpacious(bucket + 1)) this.#split(bucket);
      else this.#share(this.#isSpacious(bucket - 1) ? bucket - 1 : bucket);
    }
  }

  /** Replaces one number by another. */
  replace(order: number, hash: number, from: number, to: number): void {
    const { bucket, slot } = this.#placeOf(order, hash, from);
    this.#memory.change(this.#pages[bucket] as Page).words[SLOT_WORDS * slot + 2] = to + 1;
  }

  remove(order: number, hash: number, number: number): void {
    const { bucket, slot } = this.#placeOf(order, hash, number);
    const { words } = this.#memory.change(this.#pages[bucket] as Page);
    const count = this.#counts[bucket] as number;
    words.copyWithin(SLOT_WORDS * slot, SLOT_WORDS * (slot + 1), SLOT_WORDS * count);
    this.#counts[bucket] = count - 1;
    if (count === 1) this.#removeBucket(bucket);
    else if (count < SPARSE && !this.#join(bucket - 1)) this.#join(bucket);
  }

  #placeOf(order: number, hash: number, number: number): Place {
    for (let bucket = this.#firstBucket(order, hash); this.#mayHave(bucket, order, hash); bucket++) {
      const { words } = this.#memory.look(this.#pages[bucket] as Page);
      const end = this.#counts[bucket] as number;
      for (let slot = slotFrom(words, end, order, hash); isOfKey(words, slot, end, order, hash); slot++)
        if (words[SLOT_WORDS * slot + 2] === number + 1) return { bucket, slot };
    }
    return assert.fail("a number that the table does not know");
  }

  /** The first bucket that may have the key: the last one with a bound below it. */
  #firstBucket(order: number, hash: number): number {
    let [low, high] = [0, this.#bucketCount];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#compareBound(middle, order, hash) < 0) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The last bucket that may have the key. */
  #lastBucket(order: number, hash: number): number {
    let bucket = this.#firstBucket(order, hash);
    while (bucket + 1 < this.#bucketCount && this.#compareBound(bucket + 1, order, hash) <= 0) bucket++;
    return bucket;
  }

  /** Returns true if the bucket may have the key; `bucket` is the first one that may, or a later one. */
  #mayHave(bucket: number, order: number, hash: number): boolean {
    if (bucket >= this.#bucketCount) return false;
    return bucket === 0 || this.#compareBound(bucket, order, hash) <= 0;
  }

  #compareBound(bucket: number, order: number, hash: number): number {
    const its = this.#orders[bucket] as number;
    return its === order ? (this.#hashes[bucket] as number) - hash : its - order;
  }

  #isSpacious(bucket: number): boolean {
    return bucket >= 0 && bucket < this.#bucketCount && (this.#counts[bucket] as number) <= SHARING_MAX;
  }

  #split(bucket: number): void {
    this.#insertBucket(bucket + 1, 0, 0);
    this.#share(bucket);
  }

  /** Divides the slots of this bucket and the next one equally between them. */
  #share(bucket: number): void {
    const { words } = this.#memory.change(this.#pages[bucket] as Page);
    const { words: next } = this.#memory.change(this.#pages[bucket + 1] as Page);
    const [count, nextCount] = [this.#counts[bucket] as number, this.#counts[bucket + 1] as number];
    const half = (count + nextCount) >>> 1;
    /** Words that move to the next bucket; negative if words move here from there. */
    const moved = SLOT_WORDS * (count - half);
    if (moved > 0) {
      next.copyWithin(moved, 0, SLOT_WORDS * nextCount);
      next.set(words.subarray(SLOT_WORDS * half, SLOT_WORDS * count));
    } else {
      words.set(next.subarray(0, -moved), SLOT_WORDS * count);
      next.copyWithin(0, -moved, SLOT_WORDS * nextCount);
    }
    this.#counts[bucket] = half;
    this.#counts[bucket + 1] = count + nextCount - half;
    this.#orders[bucket + 1] = next[0] as number;
    this.#hashes[bucket + 1] = next[1] as number;
  }

  /** Moves the slots of the next bucket into this one if they fit well; returns true if they were moved. */
  #join(bucket: number): boolean {
    if (bucket < 0 || bucket + 1 >= this.#bucketCount) return false;
    const [count, nextCount] = [this.#counts[bucket] as number, this.#counts[bucket + 1] as number];
    if (count + nextCount > JOINED_MAX) return false;
    const next = this.#memory.look(this.#pages[bucket + 1] as Page).words.subarray(0, SLOT_WORDS * nextCount);
    this.#memory.change(this.#pages[bucket] as Page).words.set(next, SLOT_WORDS * count);
    this.#counts[bucket] = count + nextCount;
    this.#removeBucket(bucket + 1);
    return true;
  }

  #insertBucket(at: number, order: number, hash: number): void {
    if (this.#bucketCount === this.#pages.length) this.#enlarge(2 * this.#bucketCount, this.save());
    for (const column of this.#columns()) column.copyWithin(at + 1, at, this.#bucketCount);
    this.#bucketCount++;
    this.#orders[at] = order;
    this.#hashes[at] = hash;
    this.#pages[at] = this.#memory.allocate();
    this.#counts[at] = 0;
  }

  #removeBucket(at: number): void {
    this.#memory.free(this.#pages[at] as Page);
    for (const column of this.#columns()) column.copyWithin(at, at + 1, this.#bucketCount);
    this.#bucketCount--;
  }

  #columns(): [Uint32Array, Uint32Array, Int32Array, Uint16Array] {
    return [this.#orders, this.#hashes, this.#pages, this.#counts];
  }

  #enlarge(length: number, { orders, hashes, pages, counts }: SavedTable): void {
    this.#orders = new Uint32Array(length);
    this.#hashes = new Uint32Array(length);
    this.#pages = new Int32Array(length);
    this.#counts = new Uint16Array(length);
    this.#orders.set(orders);
    this.#hashes.set(hashes);
    this.#pages.set(pages);
    this.#counts.set(counts);
  }
}

/** Returns the first of the `end` slots that is not below the key. */
function slotFrom(words: Uint32Array, end: number, order: number, hash: number): number {
  let [low, high] = [0, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const its = words[SLOT_WORDS * middle] as number;
    const isBelow = its < order || (its === order && (words[SLOT_WORDS * middle + 1] as number) < hash);
    if (isBelow) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isOfKey(words: Uint32Array, slot: number, end: number, order: number, hash: number): boolean {
  return slot < end && words[SLOT_WORDS * slot] === order && words[SLOT_WORDS * slot + 1] === hash;
}
