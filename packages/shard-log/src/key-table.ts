/**
 * Finds the row of a key by extendible hashing: a directory leads to buckets with open addressing, and a full bucket
 * is split in two. So a table of any size grows by one bucket at a time, outside V8's heap.
 */
import { KEY_WORDS } from "./record-key.ts";
import type { RecordRows } from "./record-rows.ts";

export const NOT_FOUND = -1;
const SLOTS_AT_FIRST = 2048;
/** Share of a bucket's slots that are in use before it is split. */
const FULL = 0.625;
/**
 * Limit on directory places per bucket. Above it, many hashes share their leading bits, and a full bucket is enlarged
 * instead of split.
 */
const PLACES_PER_BUCKET_MAX = 64;

/** Keys whose hashes begin with the same `depth` bits. */
interface Bucket {
  depth: number;
  /** Alternately a hash, and its row number plus one, which is 0 for a free slot. */
  slots: Int32Array;
  count: number;
}

const makeBucket = (depth: number, length = 2 * SLOTS_AT_FIRST): Bucket => {
  return { depth, slots: new Int32Array(length), count: 0 };
};

export class KeyTable {
  readonly #rows: RecordRows;
  #depth = 1;
  /** The bucket for each prefix of `#depth` bits. A bucket of smaller depth has the places of several prefixes. */
  #directory: Bucket[];
  #bucketCount = 1;

  constructor(rows: RecordRows) {
    this.#rows = rows;
    const bucket = makeBucket(0);
    this.#directory = [bucket, bucket];
  }

  get bucketCount(): number {
    return this.#bucketCount;
  }

  /** Number of places in the directory. */
  get placeCount(): number {
    return this.#directory.length;
  }

  /** Returns the row of a key with this hash. */
  find(words: Uint32Array, hash: number): number {
    const { slots } = this.#bucketOf(hash);
    const mask = slots.length / 2 - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const row = (slots[2 * slot + 1] as number) - 1;
      if (row < 0) return NOT_FOUND;
      if (slots[2 * slot] === hash && this.#rows.hasKey(row, words)) return row;
    }
  }

  /** Adds the row of a key, unless it has one; returns false if it has. */
  add(words: Uint32Array, hash: number, row: number): boolean {
    const bucket = this.#bucketWithSpace(hash);
    const { slots } = bucket;
    const mask = slots.length / 2 - 1;
    let slot = hash & mask;
    for (let known = slots[2 * slot + 1] as number; known !== 0; known = slots[2 * slot + 1] as number) {
      if (slots[2 * slot] === hash && this.#rows.hasKey(known - 1, words)) return false;
      slot = (slot + 1) & mask;
    }
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = row + 1;
    bucket.count++;
    return true;
  }

  #bucketWithSpace(hash: number): Bucket {
    let bucket = this.#bucketOf(hash);
    while (bucket.count >= FULL * (bucket.slots.length / 2)) {
      if (this.#maySplit(bucket)) this.#split(bucket, hash);
      else enlarge(bucket);
      bucket = this.#bucketOf(hash);
    }
    return bucket;
  }

  replace(hash: number, row: number, newRow: number): void {
    const { slots } = this.#bucketOf(hash);
    slots[2 * slotOf(slots, hash, row) + 1] = newRow + 1;
  }

  /** Removes the row of a key, and moves later rows of the chain back, so that no search ends before them. */
  delete(hash: number, row: number): void {
    const bucket = this.#bucketOf(hash);
    const { slots } = bucket;
    const mask = slots.length / 2 - 1;
    let hole = slotOf(slots, hash, row);
    for (let slot = (hole + 1) & mask; slots[2 * slot + 1] !== 0; slot = (slot + 1) & mask) {
      const home = (slots[2 * slot] as number) & mask;
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      slots[2 * hole] = slots[2 * slot] as number;
      slots[2 * hole + 1] = slots[2 * slot + 1] as number;
      hole = slot;
    }
    slots[2 * hole + 1] = 0;
    bucket.count--;
  }

  #bucketOf(hash: number): Bucket {
    return this.#directory[hash >>> (32 - this.#depth)] as Bucket;
  }

  #maySplit({ depth }: Bucket): boolean {
    return depth < this.#depth || this.#directory.length < PLACES_PER_BUCKET_MAX * this.#bucketCount;
  }

  /** Moves the keys of this hash's bucket whose next bit is set into a new bucket. */
  #split(bucket: Bucket, hash: number): void {
    if (bucket.depth === this.#depth) this.#deepen();
    const bit = 31 - bucket.depth++;
    const other = makeBucket(bucket.depth, bucket.slots.length);
    const all = bucket.slots.slice();
    bucket.slots.fill(0);
    bucket.count = 0;
    for (let at = 0; at < all.length; at += 2) {
      const [its, row] = [all[at] as number, (all[at + 1] as number) - 1];
      if (row >= 0) place((its >>> bit) & 1 ? other : bucket, its, row);
    }
    const count = 2 ** (this.#depth - bucket.depth);
    const first = (hash >>> (32 - this.#depth)) & ~(2 * count - 1);
    this.#directory.fill(other, first + count, first + 2 * count);
    this.#bucketCount++;
  }

  #deepen(): void {
    const larger: Bucket[] = [];
    for (const bucket of this.#directory) larger.push(bucket, bucket);
    this.#directory = larger;
    this.#depth++;
  }
}

function slotOf(slots: Int32Array, hash: number, row: number): number {
  const mask = slots.length / 2 - 1;
  let slot = hash & mask;
  while (slots[2 * slot + 1] !== row + 1) slot = (slot + 1) & mask;
  return slot;
}

function place(bucket: Bucket, hash: number, row: number): void {
  const { slots } = bucket;
  const mask = slots.length / 2 - 1;
  let slot = hash & mask;
  while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
  slots[2 * slot] = hash;
  slots[2 * slot + 1] = row + 1;
  bucket.count++;
}

function enlarge(bucket: Bucket): void {
  const { slots } = bucket;
  bucket.slots = new Int32Array(2 * slots.length);
  bucket.count = 0;
  for (let at = 0; at < slots.length; at += 2) {
    const row = (slots[at + 1] as number) - 1;
    if (row >= 0) place(bucket, slots[at] as number, row);
  }
}

/** Applies the last step of MurmurHash3 to each word. Upload ids are random, but tests make them by counting. */
export function hashKey(words: Uint32Array): number {
  let hash = 0;
  for (let at = 0; at < KEY_WORDS; at++) {
    hash = Math.imul(hash ^ (words[at] as number), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash;
}
