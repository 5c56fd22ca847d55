/**
 * Page of the pointer to each settled entry's row (row-pointers.ts) and digest bucket, in the order of arrival. A page has
 * consecutive arrivals; it is freed with its last entry.
 *
 *     pointer's page 4, of each arrival | bucket plus one 2, of each arrival; 0 for one that is not there
 */
import assert from "node:assert/strict";
import { PAGE_BYTES, type Page, type PageMemory } from "@stashlight/paged-memory";

export const ARRIVALS_PER_PAGE = Math.floor(PAGE_BYTES / 6);
const BUCKETS_AT = 4 * ARRIVALS_PER_PAGE;

interface Chunk {
  readonly page: Page;
  count: number;
}

/** State of the arrivals apart from their pages: each array has one element per page. */
export interface SavedArrivals {
  /** First arrival of the page divided by ARRIVALS_PER_PAGE. */
  readonly numbers: Float64Array;
  readonly pages: Int32Array;
  readonly counts: Uint16Array;
}

export class Arrivals {
  readonly #memory: PageMemory;
  /** Keyed by the number of the first arrival divided by ARRIVALS_PER_PAGE. */
  readonly #chunks = new Map<number, Chunk>();
  #chunkEnd = 0;

  /** With `saved`, continues arrivals whose pages the memory has adopted. */
  constructor(memory: PageMemory, saved: SavedArrivals | null = null) {
    this.#memory = memory;
    saved?.numbers.forEach((number, at) => {
      const [page, count] = [saved.pages[at] as Page, saved.counts[at] as number];
      this.#chunks.set(number, { page, count });
      this.#chunkEnd = Math.max(this.#chunkEnd, number + 1);
    });
  }

  save(): SavedArrivals {
    const chunks = [...this.#chunks.values()];
    return {
      numbers: Float64Array.from(this.#chunks.keys()),
      pages: Int32Array.from(chunks, ({ page }) => page),
      counts: Uint16Array.from(chunks, ({ count }) => count),
    };
  }

  add(arrival: number, pointerPage: Page, bucket: number): void {
    const number = Math.floor(arrival / ARRIVALS_PER_PAGE);
    let chunk = this.#chunks.get(number);
    if (chunk === undefined) {
      chunk = { page: this.#memory.allocate(), count: 0 };
      this.#chunks.set(number, chunk);
      this.#chunkEnd = Math.max(this.#chunkEnd, number + 1);
    }
    chunk.count += 1;
    const at = arrival % ARRIVALS_PER_PAGE;
    const { words, bytes } = this.#memory.change(chunk.page);
    words[at] = pointerPage;
    bytes.writeUInt16LE(bucket + 1, BUCKETS_AT + 2 * at);
  }

  remove(arrival: number): void {
    const number = Math.floor(arrival / ARRIVALS_PER_PAGE);
    const chunk = this.#chunkOf(number);
    chunk.count -= 1;
    if (chunk.count === 0) {
      this.#memory.free(chunk.page);
      this.#chunks.delete(number);
    } else {
      const at = arrival % ARRIVALS_PER_PAGE;
      this.#memory.change(chunk.page).bytes.writeUInt16LE(0, BUCKETS_AT + 2 * at);
    }
  }

  pointerPageOf(arrival: number): Page {
    const { page } = this.#chunkOf(Math.floor(arrival / ARRIVALS_PER_PAGE));
    return this.#memory.look(page).words[arrival % ARRIVALS_PER_PAGE] as number;
  }

  /** Arrivals above `after` and below `end`, if they are in one of the buckets. */
  *between(after: number, end: number, buckets: ReadonlySet<number>): Generator<number> {
    const chunkEnd = Math.min(this.#chunkEnd, Math.ceil(end / ARRIVALS_PER_PAGE));
    for (let number = Math.floor((after + 1) / ARRIVALS_PER_PAGE); number < chunkEnd; number += 1) {
      const chunk = this.#chunks.get(number);
      if (chunk === undefined) continue;
      const start = number * ARRIVALS_PER_PAGE;
      const stop = Math.min(ARRIVALS_PER_PAGE, end - start);
      let at = this.#nextIn(chunk.page, Math.max(0, after + 1 - start), stop, buckets);
      while (at < stop) {
        yield start + at;
        at = this.#nextIn(chunk.page, at + 1, stop, buckets);
      }
    }
  }

  /** Returns the first arrival from `from` on that is in one of the buckets; `stop` if there is none. */
  #nextIn(page: Page, from: number, stop: number, buckets: ReadonlySet<number>): number {
    this.#memory.relax();
    const { bytes } = this.#memory.look(page);
    for (let at = from; at < stop; at += 1) {
      const bucket = bytes.readUInt16LE(BUCKETS_AT + 2 * at) - 1;
      if (bucket >= 0 && buckets.has(bucket)) return at;
    }
    return stop;
  }

  #chunkOf(number: number): Chunk {
    const chunk = this.#chunks.get(number);
    assert(chunk !== undefined, "an arrival that is not there");
    return chunk;
  }
}
