/**
 * Histogram as sent and stored: its statistics, and its buckets as bytes. The ingest receives thousands per second,
 * checks each once in place and stores the buckets as received, without building arrays of counts.
 *
 *     buckets := (distance, count)*
 *
 * Whole numbers are varints (varint.ts). A distance is measured from the previous bucket, for the first bucket from the
 * zero bucket with index -321. Distances and counts are at least 1.
 */
import assert from "node:assert/strict";
import { StashlightError } from "@stashlight/contracts/errors";
import { nearestRank } from "@stashlight/stats/rank";
import { bucketIndex, INDEX_MAX, INDEX_MIN, representative, VALUE_MAX, ZERO_THRESHOLD } from "./buckets.ts";
import type { HistogramContent } from "./histogram.ts";
import { NO_NUMBER, type Place, readVarint, writeVarint } from "./varint.ts";

export type Buckets = HistogramContent["buckets"];

export interface PackedHistogram {
  /** At least 1. */
  readonly count: number;
  readonly zeroCount: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  /** As produced by `encodeBuckets`. */
  readonly buckets: Uint8Array;
}

export const ZERO_INDEX = INDEX_MIN - 1;

export function encodeBuckets(buckets: Buckets): Uint8Array {
  const bytes: number[] = [];
  let previous = ZERO_INDEX;
  for (const [index, count] of buckets) {
    writeVarint(bytes, index - previous);
    writeVarint(bytes, count);
    previous = index;
  }
  return Uint8Array.from(bytes);
}

/** Throws `invalid_input` for anything that `encodeBuckets` does not produce. */
export function decodeBuckets(bytes: Uint8Array): Buckets {
  const buckets: [number, number][] = [];
  for (const reader = new BucketReader(bytes); reader.next(); ) buckets.push([reader.index, reader.count]);
  return buckets;
}

/** Throws `invalid_input` for contents that no samples can produce. */
export function packHistogram(content: HistogramContent): PackedHistogram {
  return packed({ ...content, buckets: encodeBuckets(content.buckets) });
}

/**
 * Checks the parts and adds the number of samples. Throws `invalid_input` for bytes that are not buckets, and for
 * statistics that no samples can produce.
 */
export function packed(parts: Omit<PackedHistogram, "count">): PackedHistogram {
  const { zeroCount, sum, min, max, buckets } = parts;
  const reader = new BucketReader(buckets);
  let count = zeroCount;
  let lowest = ZERO_INDEX;
  while (reader.next()) {
    if (count === 0) lowest = reader.index;
    count += reader.count;
  }
  if (count === 0) throw malformed("it has statistics but no samples");
  if (count > Number.MAX_SAFE_INTEGER) throw malformed("it has more samples than can be counted");
  if (!(min >= 0 && min <= max && max <= VALUE_MAX)) {
    throw malformed("its minimum and maximum are impossible");
  }
  if (bucketPlace(min) !== lowest || bucketPlace(max) !== reader.index) {
    throw malformed("its minimum and maximum are not in its first and last bucket");
  }
  // Rounding errors may move the sum slightly outside the range that the minimum and maximum allow.
  const slack = 1 + count * Number.EPSILON;
  if (!(sum >= (min * count) / slack && sum <= max * count * slack)) {
    throw malformed("its sum is impossible for its minimum, maximum and count");
  }
  return { count, zeroCount, sum, min, max, buckets };
}

/**
 * Returns quantiles as `ExponentialHistogram.quantile` does, for shares in ascending order, in one pass over the
 * buckets. Checks nothing, because `packed` has checked the buckets.
 */
export function packedQuantiles(histogram: PackedHistogram, sharesPerMillion: readonly number[]): number[] {
  const { count, zeroCount, min, max, buckets } = histogram;
  const place = { bytes: buckets, at: 0 };
  let index = ZERO_INDEX;
  let seen = zeroCount;
  return sharesPerMillion.map((perMillion) => {
    const rank = nearestRank(count, perMillion);
    if (rank === 1) return min;
    if (rank === count) return max;
    while (rank > seen) {
      // Builds the message only on failure, because this runs for every bucket of every window.
      if (place.at >= buckets.length) assert.fail(`Rank ${rank} is beyond the ${seen} samples.`);
      index += readVarint(place);
      seen += readVarint(place);
    }
    const value = index === ZERO_INDEX ? 0 : representative(index);
    return Math.min(max, Math.max(min, value));
  });
}

class BucketReader {
  index = ZERO_INDEX;
  count = 0;
  readonly #place: Place;

  constructor(bytes: Uint8Array) {
    this.#place = { bytes, at: 0 };
  }

  /** Advances to the next bucket, if there is one. */
  next(): boolean {
    const place = this.#place;
    if (place.at === place.bytes.length) return false;
    const distance = readVarint(place);
    const count = readVarint(place);
    if (distance === NO_NUMBER || count === NO_NUMBER) throw malformed("a bucket is cut off or too large");
    if (distance === 0 || count === 0) throw malformed("a bucket is empty or comes twice");
    this.index += distance;
    this.count = count;
    if (this.index > INDEX_MAX) {
      throw malformed(`bucket ${this.index} is beyond the last one, ${INDEX_MAX}`);
    }
    return true;
  }
}

const bucketPlace = (value: number): number => (value <= ZERO_THRESHOLD ? ZERO_INDEX : bucketIndex(value));

export function malformed(what: string): StashlightError {
  return new StashlightError("invalid_input", `A histogram cannot be read: ${what}.`);
}
