/**
 * Settled entries of consecutive arrivals: the block of each, and its bucket of the digests. A full chunk takes 6 bytes
 * per arrival. A list of the few that are left takes 8 bytes per entry, so that a few survivors do not pin a whole
 * chunk.
 *
 *     list --more than LISTED_MAX--> full --fewer than FULL_MIN--> list
 */
export const CHUNK_LENGTH = 1024;
const LISTED_MAX = 128;
/** Below LISTED_MAX, so that an entry that leaves and comes back does not rebuild the chunk. */
const FULL_MIN = 96;
const CAPACITY_AT_FIRST = 8;

export interface Chunk {
  readonly count: number;
  readonly byteLength: number;
  /** Returns the chunk to use from now on. */
  set(at: number, block: number, bucket: number): Chunk;
  remove(at: number): Chunk;
  /** Moves an arrival to another block. The arrival must be in the chunk, as for `blockAt` and `bucketAt`. */
  move(at: number, block: number): void;
  blockAt(at: number): number;
  bucketAt(at: number): number;
  /** Returns the first arrival from this one on; CHUNK_LENGTH if there is none. */
  next(at: number): number;
}

export const emptyChunk = (): Chunk => new List(CAPACITY_AT_FIRST);

/** Entries in the order of their arrival, two numbers each: arrival and bucket, and the block. */
class List implements Chunk {
  #items: Uint32Array;
  count = 0;

  constructor(capacity: number) {
    this.#items = new Uint32Array(2 * capacity);
  }

  get byteLength(): number {
    return this.#items.byteLength;
  }

  set(at: number, block: number, bucket: number): Chunk {
    if (this.count === LISTED_MAX) return copyInto(new Full(), this).set(at, block, bucket);
    const place = this.#placeOf(at);
    if (2 * this.count === this.#items.length) this.#resize(2 * this.#items.length);
    this.#items.copyWithin(place + 2, place, 2 * this.count);
    this.#items[place] = at * 0x10000 + bucket;
    this.#items[place + 1] = block;
    this.count += 1;
    return this;
  }

  remove(at: number): Chunk {
    const place = this.#placeOf(at);
    this.#items.copyWithin(place, place + 2, 2 * this.count);
    this.count -= 1;
    if (8 * this.count < this.#items.length && this.#items.length > 2 * CAPACITY_AT_FIRST)
      this.#resize(this.#items.length / 2);
    return this;
  }

  move(at: number, block: number): void {
    this.#items[this.#placeOf(at) + 1] = block;
  }

  blockAt(at: number): number {
    return this.#items[this.#placeOf(at) + 1] as number;
  }

  bucketAt(at: number): number {
    return (this.#items[this.#placeOf(at)] as number) & 0xffff;
  }

  next(at: number): number {
    const place = this.#placeOf(at);
    return place === 2 * this.count ? CHUNK_LENGTH : (this.#items[place] as number) >>> 16;
  }

  /** Finds the first item that did not arrive before this one. */
  #placeOf(at: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#items[2 * middle] as number) >>> 16 < at) low = middle + 1;
      else high = middle;
    }
    return 2 * low;
  }

  #resize(length: number): void {
    const items = new Uint32Array(length);
    items.set(this.#items.subarray(0, 2 * this.count));
    this.#items = items;
  }
}

class Full implements Chunk {
  /** Block number plus one; 0 for an arrival that is not in the chunk. */
  readonly #blocks = new Uint32Array(CHUNK_LENGTH);
  readonly #buckets = new Uint16Array(CHUNK_LENGTH);
  count = 0;

  get byteLength(): number {
    return this.#blocks.byteLength + this.#buckets.byteLength;
  }

  set(at: number, block: number, bucket: number): Chunk {
    this.#blocks[at] = block + 1;
    this.#buckets[at] = bucket;
    this.count += 1;
    return this;
  }

  remove(at: number): Chunk {
    this.#blocks[at] = 0;
    this.count -= 1;
    return this.count < FULL_MIN ? copyInto(new List(LISTED_MAX), this) : this;
  }

  move(at: number, block: number): void {
    this.#blocks[at] = block + 1;
  }

  blockAt(at: number): number {
    return (this.#blocks[at] as number) - 1;
  }

  bucketAt(at: number): number {
    return this.#buckets[at] as number;
  }

  next(at: number): number {
    let next = at;
    while (next < CHUNK_LENGTH && this.#blocks[next] === 0) next += 1;
    return next;
  }
}

function copyInto(to: Chunk, from: Chunk): Chunk {
  for (let at = from.next(0); at < CHUNK_LENGTH; at = from.next(at + 1))
    to.set(at, from.blockAt(at), from.bucketAt(at));
  return to;
}
