import assert from "node:assert/strict";
import { INDEX_MAX, INDEX_MIN } from "./buckets.ts";
import { ExponentialHistogram, type HistogramContent } from "./histogram.ts";

const SLOT_COUNT = INDEX_MAX - INDEX_MIN + 1;
const SEVEN_BITS = 128;

/** A histogram in the database: its statistics in columns, its buckets as encoded by `encodeBuckets`. */
export interface StoredHistogram {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Adds up stored histograms without creating an object for each, for charts of thousands of windows. The bytes were
 * checked when they were stored, so unreadable ones are a fault of the database and throw.
 */
export class HistogramSum {
  readonly #counts = new Float64Array(SLOT_COUNT);
  #count = 0;
  #bucketCount = 0;
  #sum = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  get count(): number {
    return this.#count;
  }

  /** Adds a histogram whose buckets are the bytes from `start` to `end`. */
  add({ count, sum, min, max }: StoredHistogram, bytes: Uint8Array, start: number, end: number): void {
    let slot = -1;
    let at = start;
    while (at < end) {
      let distance = bytes[at++] as number;
      if (distance >= SEVEN_BITS) {
        let weight = SEVEN_BITS;
        distance -= SEVEN_BITS;
        for (let more = true; more; weight *= SEVEN_BITS) {
          const byte = bytes[at++] as number;
          more = byte >= SEVEN_BITS;
          distance += (more ? byte - SEVEN_BITS : byte) * weight;
        }
      }
      let each = bytes[at++] as number;
      if (each >= SEVEN_BITS) {
        let weight = SEVEN_BITS;
        each -= SEVEN_BITS;
        for (let more = true; more; weight *= SEVEN_BITS) {
          const byte = bytes[at++] as number;
          more = byte >= SEVEN_BITS;
          each += (more ? byte - SEVEN_BITS : byte) * weight;
        }
      }
      slot += distance;
      (this.#counts[slot] as number) += each;
      this.#bucketCount += each;
    }
    assert(at === end && slot < SLOT_COUNT, "The stored buckets of a histogram cannot be read.");
    this.#count += count;
    this.#sum += sum;
    if (min < this.#min) this.#min = min;
    if (max > this.#max) this.#max = max;
  }

  content(): HistogramContent {
    const buckets: [number, number][] = [];
    for (let slot = 0; slot < SLOT_COUNT; slot += 1) {
      const count = this.#counts[slot] as number;
      if (count > 0) buckets.push([slot + INDEX_MIN, count]);
    }
    // Samples in no other bucket are in the zero bucket.
    const zeroCount = this.#count - this.#bucketCount;
    return { zeroCount, sum: this.#sum, min: this.#min, max: this.#max, buckets };
  }

  histogram(): ExponentialHistogram {
    return ExponentialHistogram.from(this.content());
  }

  clear(): void {
    this.#counts.fill(0);
    this.#count = this.#bucketCount = this.#sum = 0;
    this.#min = Number.POSITIVE_INFINITY;
    this.#max = Number.NEGATIVE_INFINITY;
  }
}
