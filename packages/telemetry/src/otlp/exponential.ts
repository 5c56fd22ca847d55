/**
 * Converts an OTLP exponential histogram to the native one. At scale 4 its buckets are the same, index by index; at a
 * finer scale two, four or more neighbours are exactly one native bucket; at a coarser one the positions of samples
 * within a bucket are unknown.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import { INDEX_MAX, INDEX_MIN, SCALE, upperBound, VALUE_MAX, ZERO_THRESHOLD } from "../histogram/buckets.ts";
import { type Buckets, type PackedHistogram, packHistogram, ZERO_INDEX } from "../histogram/packed.ts";
import type { OtlpExponential } from "./request.ts";

export type HistogramRefusal = "too_coarse" | "no_extremes" | "impossible_value";

const SCALE_MAX = 20;
/** Largest error of a producer's logarithm for a value on a bucket's bound. */
const ROUNDING = 1e-9;

/** Returns null for a histogram without samples, which is not a refusal. */
export function packExponential(point: OtlpExponential): PackedHistogram | HistogramRefusal | null {
  const { count = 0, zeroCount = 0, scale = 0, positive, negative, sum, min, max } = point;
  if (count === 0) return null;
  if (scale < SCALE) return "too_coarse";
  const isBelowZero = (negative?.bucketCounts ?? []).some((each) => each > 0);
  if (isBelowZero || scale > SCALE_MAX || (point.zeroThreshold ?? 0) > ZERO_THRESHOLD) {
    return "impossible_value";
  }
  if (sum === undefined || min === undefined || max === undefined) return "no_extremes";
  const merged = merge(zeroCount, positive?.offset ?? 0, positive?.bucketCounts ?? [], scale - SCALE);
  if (merged === null || merged.count !== count) return "impossible_value";
  const { buckets } = merged;
  const lowest = merged.zeroCount > 0 ? ZERO_INDEX : (buckets[0]?.[0] ?? ZERO_INDEX);
  try {
    return packHistogram({
      zeroCount: merged.zeroCount,
      buckets,
      sum,
      min: nearestIn(lowest, min),
      max: nearestIn(buckets.at(-1)?.[0] ?? ZERO_INDEX, max),
    });
  } catch (error) {
    if (error instanceof StashlightError) return "impossible_value";
    throw error;
  }
}

/** Returns null if a count is invalid, or a bucket is beyond the measurable range. */
function merge(
  zeroCount: number,
  offset: number,
  counts: readonly number[],
  finer: number,
): { zeroCount: number; count: number; buckets: Buckets } | null {
  if (!Number.isSafeInteger(zeroCount) || zeroCount < 0) return null;
  const buckets: [number, number][] = [];
  let zeros = zeroCount;
  let total = zeroCount;
  for (const [i, count] of counts.entries()) {
    if (!Number.isSafeInteger(count) || count < 0) return null;
    if (count === 0) continue;
    const index = Math.floor((offset + i) / 2 ** finer);
    if (index > INDEX_MAX) return null;
    total += count;
    const last = buckets.at(-1);
    // The whole bucket is within the zero bucket, because the zero threshold is one of its scale's bounds.
    if (index < INDEX_MIN) zeros += count;
    else if (last?.[0] === index) last[1] += count;
    else buckets.push([index, count]);
  }
  return { zeroCount: zeros, count: total, buckets };
}

/** Clamps a value that misses its bucket by a rounding error; any other stays unchanged, and is refused later. */
function nearestIn(index: number, value: number): number {
  const above = index === ZERO_INDEX ? ZERO_THRESHOLD : upperBound(index);
  const below = index === ZERO_INDEX ? 0 : upperBound(index - 1) * (1 + Number.EPSILON);
  const nearest = Math.min(above, Math.max(below, value));
  return Math.abs(nearest - value) <= ROUNDING * Math.min(value, VALUE_MAX) ? nearest : value;
}
