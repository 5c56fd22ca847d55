/**
 * Finds numbers by a hash, by extendible hashing: a directory leads to buckets of one page each with open addressing,
 * and a full bucket is split in two. So a table of any size grows by one page at a time. A hash may occur several
 * times, with different numbers or the same one.
 */
import assert from "node:assert/strict";
import { PAGE_WORDS, type Page } from "./page-buffer.ts";
import type { PageMemory } from "./page-memory.ts";

export const NOT_FOUND = -1;
const SLOTS = PAGE_WORDS / 2;
const MASK = SLOTS - 1;
/** Slots of a page that are in use before its bucket is split. */
const FULL_COUNT = 0.75 * SLOTS;
/**
 * Limit on directory places per bucket. Above it, many hashes share their leading bits, and a full bucket gets another
 * page instead of being split.
 */
const PLACES_PER_BUCKET_MAX = 64;

/** Keys whose hashes begin with the same `depth` bits. */
interface Bucket {
  depth: number;
  /** Slots of two words each: a hash, and its number plus one, which is 0 for a free slot. */
  readonly pages: Page[];
  /** Used slots of each page. */
  readonly counts: number[];
}

const isBelowFull = (count: number): boolean => count < FULL_COUNT;

export class HashPages {
  readonly #memory: PageMemory;
  #depth = 1;
  /** The bucket for each prefix of `#depth` bits. A bucket of smaller depth has the places of several prefixes. */
  #directory: Bucket[];
  #bucketCount = 1;

  constructor(memory: PageMemory) {
    this.#memory = memory;
    const bucket = this.#makeBucket(0);
    this.#directory = [bucket, bucket];
  }

  get bucketCount(): number {
    return this.#bucketCount;
  }

  /** Number of places in the directory. */
  get placeCount(): number {
    return this.#directory.length;
  }

  /** Returns the first number of this hash that is meant, or NOT_FOUND. */
  find(hash: number, isMeant: (number: number) => boolean): number {
    const wanted = hash >>> 0;
    for (const page of this.#bucketOf(wanted).pages) {
      const { words } = this.#memory.look(page);
      for (let slot = wanted & MASK; words[2 * slot + 1] !== 0; slot = (slot + 1) & MASK) {
        if (words[2 * slot] !== wanted) continue;
        const number = (words[2 * slot + 1] as number) - 1;
        if (isMeant(number)) return number;
      }
    }
    return NOT_FOUND;
  }

  add(hash: number, number: number): void {
    const wanted = hash >>> 0;
    this.#place(this.#bucketWithSpace(wanted), wanted, number);
  }

  /** Puts another number in the place of one. */
  replace(hash: number, from: number, to: number): void {
    const { page, slot } = this.#slotOf(hash >>> 0, from);
    this.#memory.change(page).words[2 * slot + 1] = to + 1;
  }

  /** Removes a number, and moves later ones of the chain back, so that no search ends before them. */
  remove(hash: number, number: number): void {
    const { bucket, page, slot } = this.#slotOf(hash >>> 0, number);
    const { words } = this.#memory.change(page);
    let hole = slot;
    for (let at = (slot + 1) & MASK; words[2 * at + 1] !== 0; at = (at + 1) & MASK) {
      const home = (words[2 * at] as number) & MASK;
      if (((at - home) & MASK) < ((at - hole) & MASK)) continue;
      words[2 * hole] = words[2 * at] as number;
      words[2 * hole + 1] = words[2 * at + 1] as number;
      hole = at;
    }
    words[2 * hole + 1] = 0;
    const index = bucket.pages.indexOf(page);
    bucket.counts[index] = (bucket.counts[index] as number) - 1;
  }

  #slotOf(hash: number, number: number): { bucket: Bucket; page: Page; slot: number } {
    const bucket = this.#bucketOf(hash);
    for (const page of bucket.pages) {
      const { words } = this.#memory.look(page);
      for (let slot = hash & MASK; words[2 * slot + 1] !== 0; slot = (slot + 1) & MASK)
        if (words[2 * slot] === hash && words[2 * slot + 1] === number + 1) return { bucket, page, slot };
    }
    return assert.fail("a number that the table does not know");
  }

  #bucketWithSpace(hash: number): Bucket {
    for (;;) {
      const bucket = this.#bucketOf(hash);
      if (bucket.counts.some(isBelowFull)) return bucket;
      if (this.#maySplit(bucket)) this.#split(bucket, hash);
      else {
        bucket.pages.push(this.#memory.allocate());
        bucket.counts.push(0);
      }
    }
  }

  #place({ pages, counts }: Bucket, hash: number, number: number): void {
    const index = counts.findIndex(isBelowFull);
    const { words } = this.#memory.change(pages[index] as Page);
    counts[index] = (counts[index] as number) + 1;
    let slot = hash & MASK;
    while (words[2 * slot + 1] !== 0) slot = (slot + 1) & MASK;
    words[2 * slot] = hash;
    words[2 * slot + 1] = number + 1;
  }

  #makeBucket(depth: number): Bucket {
    return { depth, pages: [this.#memory.allocate()], counts: [0] };
  }

  #bucketOf(hash: number): Bucket {
    return this.#directory[hash >>> (32 - this.#depth)] as Bucket;
  }

  #maySplit({ depth }: Bucket): boolean {
    if (depth === 32) return false;
    return depth < this.#depth || this.#directory.length < PLACES_PER_BUCKET_MAX * this.#bucketCount;
  }

  /** Moves the numbers of this hash's bucket whose next bit is set into a new bucket. */
  #split(bucket: Bucket, hash: number): void {
    if (bucket.depth === this.#depth) this.#deepen();
    const bit = 31 - bucket.depth++;
    const old = bucket.pages.map((page) => this.#memory.look(page).words.slice());
    for (const page of bucket.pages.splice(1)) this.#memory.free(page);
    this.#memory.change(bucket.pages[0] as Page).words.fill(0);
    bucket.counts.splice(0, bucket.counts.length, 0);
    const other = this.#makeBucket(bucket.depth);
    this.#bucketCount++;
    for (const words of old) {
      for (let at = 0; at < PAGE_WORDS; at += 2) {
        const [its, number] = [words[at] as number, (words[at + 1] as number) - 1];
        if (number >= 0) this.#placeInAny((its >>> bit) & 1 ? other : bucket, its, number);
      }
    }
    const count = 2 ** (this.#depth - bucket.depth);
    const first = (hash >>> (32 - this.#depth)) & ~(2 * count - 1);
    this.#directory.fill(other, first + count, first + 2 * count);
  }

  #placeInAny(bucket: Bucket, hash: number, number: number): void {
    if (bucket.counts.every((count) => count >= FULL_COUNT)) {
      bucket.pages.push(this.#memory.allocate());
      bucket.counts.push(0);
    }
    this.#place(bucket, hash, number);
  }

  #deepen(): void {
    const larger: Bucket[] = [];
    for (const bucket of this.#directory) larger.push(bucket, bucket);
    this.#directory = larger;
    this.#depth++;
  }
}
