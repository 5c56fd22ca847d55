/** For each settled entry its block and its bucket of the digests, in the order of arrival. */
const CHUNK_LENGTH = 1024;

interface Chunk {
  /** One more than the block; 0 for an entry that is not settled. */
  readonly blocks: Uint32Array;
  readonly buckets: Uint16Array;
  count: number;
}

export interface Arrival {
  readonly arrival: number;
  readonly block: number;
  readonly bucket: number;
}

export class Arrivals {
  /** By the number of the chunk; a chunk is dropped with its last entry. */
  readonly #chunks = new Map<number, Chunk>();
  #chunkCount = 0;

  set(arrival: number, block: number, bucket: number): void {
    const number = Math.floor(arrival / CHUNK_LENGTH);
    let chunk = this.#chunks.get(number);
    if (chunk === undefined) {
      chunk = { blocks: new Uint32Array(CHUNK_LENGTH), buckets: new Uint16Array(CHUNK_LENGTH), count: 0 };
      this.#chunks.set(number, chunk);
      this.#chunkCount = Math.max(this.#chunkCount, number + 1);
    }
    const at = arrival % CHUNK_LENGTH;
    if (chunk.blocks[at] === 0) chunk.count += 1;
    chunk.blocks[at] = block + 1;
    chunk.buckets[at] = bucket;
  }

  move(arrival: number, block: number): void {
    const chunk = this.#chunks.get(Math.floor(arrival / CHUNK_LENGTH)) as Chunk;
    chunk.blocks[arrival % CHUNK_LENGTH] = block + 1;
  }

  remove(arrival: number): void {
    const number = Math.floor(arrival / CHUNK_LENGTH);
    const chunk = this.#chunks.get(number) as Chunk;
    chunk.blocks[arrival % CHUNK_LENGTH] = 0;
    chunk.count -= 1;
    if (chunk.count === 0) this.#chunks.delete(number);
  }

  bucketOf(arrival: number): number {
    return this.#chunks.get(Math.floor(arrival / CHUNK_LENGTH))?.buckets[arrival % CHUNK_LENGTH] as number;
  }

  /** Entries that arrived after this one, if they are in one of the buckets. */
  *after(after: number, buckets: ReadonlySet<number>): Generator<Arrival> {
    for (let number = Math.floor((after + 1) / CHUNK_LENGTH); number < this.#chunkCount; number += 1) {
      const chunk = this.#chunks.get(number);
      if (chunk === undefined) continue;
      const start = number * CHUNK_LENGTH;
      for (let at = Math.max(0, after + 1 - start); at < CHUNK_LENGTH; at += 1) {
        const block = chunk.blocks[at] as number;
        const bucket = chunk.buckets[at] as number;
        if (block !== 0 && buckets.has(bucket)) yield { arrival: start + at, block: block - 1, bucket };
      }
    }
  }
}
