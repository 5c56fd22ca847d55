/** Block and digest bucket of each settled entry, in the order of arrival. */
import { CHUNK_LENGTH, type Chunk, emptyChunk } from "./arrival-chunk.ts";

export class Arrivals {
  /** Chunks by their number; a chunk is dropped with its last entry. */
  readonly #chunks = new Map<number, Chunk>();
  #chunkCount = 0;

  get byteLength(): number {
    let bytes = 0;
    for (const { byteLength } of this.#chunks.values()) bytes += byteLength;
    return bytes;
  }

  /** Adds a new arrival. */
  set(arrival: number, block: number, bucket: number): void {
    const number = Math.floor(arrival / CHUNK_LENGTH);
    const chunk = this.#chunks.get(number);
    const changed = (chunk ?? emptyChunk()).set(arrival % CHUNK_LENGTH, block, bucket);
    if (changed === chunk) return;
    this.#chunks.set(number, changed);
    this.#chunkCount = Math.max(this.#chunkCount, number + 1);
  }

  move(arrival: number, block: number): void {
    this.#chunkOf(arrival).move(arrival % CHUNK_LENGTH, block);
  }

  remove(arrival: number): void {
    const number = Math.floor(arrival / CHUNK_LENGTH);
    const chunk = this.#chunkOf(arrival);
    const changed = chunk.remove(arrival % CHUNK_LENGTH);
    if (changed.count === 0) this.#chunks.delete(number);
    else if (changed !== chunk) this.#chunks.set(number, changed);
  }

  bucketOf(arrival: number): number {
    return this.#chunkOf(arrival).bucketAt(arrival % CHUNK_LENGTH);
  }

  blockOf(arrival: number): number {
    return this.#chunkOf(arrival).blockAt(arrival % CHUNK_LENGTH);
  }

  /** Arrivals above `after` and below `end`, if they are in one of the buckets. */
  *between(after: number, end: number, buckets: ReadonlySet<number>): Generator<number> {
    const chunkEnd = Math.min(this.#chunkCount, Math.ceil(end / CHUNK_LENGTH));
    for (let number = Math.floor((after + 1) / CHUNK_LENGTH); number < chunkEnd; number += 1) {
      const chunk = this.#chunks.get(number);
      if (chunk === undefined) continue;
      const start = number * CHUNK_LENGTH;
      const stop = Math.min(CHUNK_LENGTH, end - start);
      for (let at = chunk.next(Math.max(0, after + 1 - start)); at < stop; at = chunk.next(at + 1))
        if (buckets.has(chunk.bucketAt(at))) yield start + at;
    }
  }

  #chunkOf(arrival: number): Chunk {
    return this.#chunks.get(Math.floor(arrival / CHUNK_LENGTH)) as Chunk;
  }
}
