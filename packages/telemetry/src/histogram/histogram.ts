import assert from "node:assert/strict";
import { nearestRank } from "@stashlight/stats/rank";
import {
  BUCKETS_PER_OCTAVE,
  bucketIndex,
  INDEX_MAX,
  INDEX_MIN,
  representative,
  VALUE_MAX,
  ZERO_THRESHOLD,
} from "./buckets.ts";

/** Covers values up to 2^7, which is two minutes for a metric in seconds. Larger values make the array grow. */
const SLOTS_AT_FIRST = 27 * BUCKETS_PER_OCTAVE;
const SLOTS_MAX = INDEX_MAX - INDEX_MIN + 1;

/** Content of a histogram, without empty buckets. */
export interface HistogramContent {
  readonly zeroCount: number;
  readonly sum: number;
  /** Infinity if empty; `max` is then -Infinity. */
  readonly min: number;
  readonly max: number;
  /** In ascending order of index. */
  readonly buckets: readonly (readonly [index: number, count: number])[];
}

/**
 * Exponential histogram of fixed scale: count, sum, minimum and maximum are exact, everything between is within
 * `RELATIVE_ERROR`. Histograms of any two series or times merge without loss, by adding the counts of equal buckets.
 *
 * Counts are doubles, exact up to 2^53, because the count of a busy year exceeds 2^32.
 */
export class ExponentialHistogram {
  #counts = new Float64Array(SLOTS_AT_FIRST);
  #count = 0;
  #zeroCount = 0;
  #sum = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #refusedCount = 0;

  static from(content: HistogramContent): ExponentialHistogram {
    const histogram = new ExponentialHistogram();
    histogram.#count = histogram.#zeroCount = content.zeroCount;
    histogram.#sum = content.sum;
    histogram.#min = content.min;
    histogram.#max = content.max;
    for (const [index, count] of content.buckets) {
      if (!(index >= INDEX_MIN && index <= INDEX_MAX)) assert.fail(`There is no bucket ${index}.`);
      histogram.#add(index - INDEX_MIN, count);
      histogram.#count += count;
    }
    return histogram;
  }

  get count(): number {
    return this.#count;
  }

  get zeroCount(): number {
    return this.#zeroCount;
  }

  get sum(): number {
    return this.#sum;
  }

  /** Null before the first value. */
  get min(): number | null {
    return this.#count === 0 ? null : this.#min;
  }

  get max(): number | null {
    return this.#count === 0 ? null : this.#max;
  }

  /** Number of impossible values, which are not recorded and not merged. */
  get refusedCount(): number {
    return this.#refusedCount;
  }

  /**
   * Records a value. A negative one, NaN or one above 2^40 is counted as refused instead of thrown: work must continue
   * even if its measurement is wrong.
   */
  record(value: number): void {
    if (!(value >= 0 && value <= VALUE_MAX)) {
      this.#refusedCount += 1;
      return;
    }
    this.#count += 1;
    this.#sum += value;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
    if (value <= ZERO_THRESHOLD) {
      this.#zeroCount += 1;
      return;
    }
    const slot = bucketIndex(value) - INDEX_MIN;
    if (slot >= this.#counts.length) this.#growTo(slot);
    (this.#counts[slot] as number) += 1;
  }

  /** Adds the content of the other histogram. Counts are exact in any order, sums up to rounding. */
  merge(other: ExponentialHistogram): void {
    const counts = other.#counts;
    for (let slot = 0; slot < counts.length; slot += 1) {
      const count = counts[slot] as number;
      if (count > 0) this.#add(slot, count);
    }
    this.#count += other.#count;
    this.#zeroCount += other.#zeroCount;
    this.#sum += other.#sum;
    this.#min = Math.min(this.#min, other.#min);
    this.#max = Math.max(this.#max, other.#max);
  }

  clone(): ExponentialHistogram {
    const copy = new ExponentialHistogram();
    copy.merge(this);
    return copy;
  }

  /**
   * Returns the quantile by nearest rank, in parts per million (p99 is 990,000): within `RELATIVE_ERROR` of the sample
   * of that rank, or within `ZERO_THRESHOLD` when that sample is in the zero bucket. The first and the last rank are
   * exact. Null when there are no samples.
   */
  quantile(perMillion: number): number | null {
    if (this.#count === 0) return null;
    const rank = nearestRank(this.#count, perMillion);
    if (rank === 1) return this.#min;
    if (rank === this.#count) return this.#max;
    const index = this.#bucketOfRank(rank);
    const value = index === null ? 0 : representative(index);
    return Math.min(this.#max, Math.max(this.#min, value));
  }

  /** Returns the bucket that holds this quantile; null for the zero bucket. */
  bucketOfQuantile(perMillion: number): number | null {
    return this.#count === 0 ? null : this.#bucketOfRank(nearestRank(this.#count, perMillion));
  }

  #bucketOfRank(rank: number): number | null {
    let seen = this.#zeroCount;
    if (rank <= seen) return null;
    for (let slot = 0; slot < this.#counts.length; slot += 1) {
      seen += this.#counts[slot] as number;
      if (rank <= seen) return slot + INDEX_MIN;
    }
    throw new assert.AssertionError({ message: `Rank ${rank} is beyond the ${seen} samples.` });
  }

  /**
   * Counts the values that are at most 2^lowest, 2^(lowest+1) and so on to 2^highest; exact, because these are bucket
   * bounds.
   */
  countsUpToOctaves(lowest: number, highest: number): number[] {
    const cumulative: number[] = [];
    let seen = this.#zeroCount;
    let slot = 0;
    for (let octave = lowest; octave <= highest; octave += 1) {
      const end = Math.min(this.#counts.length, octave * BUCKETS_PER_OCTAVE - INDEX_MIN);
      for (; slot < end; slot += 1) seen += this.#counts[slot] as number;
      cumulative.push(seen);
    }
    return cumulative;
  }

  content(): HistogramContent {
    const buckets: [number, number][] = [];
    const counts = this.#counts;
    for (let slot = 0; slot < counts.length; slot += 1) {
      const count = counts[slot] as number;
      if (count > 0) buckets.push([slot + INDEX_MIN, count]);
    }
    return { zeroCount: this.#zeroCount, sum: this.#sum, min: this.#min, max: this.#max, buckets };
  }

  #add(slot: number, count: number): void {
    if (slot >= this.#counts.length) this.#growTo(slot);
    (this.#counts[slot] as number) += count;
  }

  #growTo(slot: number): void {
    const octaves = Math.ceil((slot + 1) / BUCKETS_PER_OCTAVE) + 2;
    const grown = new Float64Array(Math.min(SLOTS_MAX, octaves * BUCKETS_PER_OCTAVE));
    grown.set(this.#counts);
    this.#counts = grown;
  }
}
