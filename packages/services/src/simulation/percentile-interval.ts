/**
 * Computes the confidence interval of a percentile of a histogram's metric. Slow uploads come in bursts, and are
 * therefore weaker evidence than the same number of independent ones: whole stretches of time are resampled many times
 * (a block bootstrap: H. R. Künsch, 1989), and the interval is the middle 95 % of the percentiles of all draws.
 */
import type { MeasuredInterval } from "@stashlight/contracts/planner";
import { createRandom } from "@stashlight/stats";
import { upperBound } from "@stashlight/telemetry";
import { present } from "../present.ts";

/** Number of a stretch's values by bucket; the key null is for values that count as zero. */
export type Stretch = readonly (readonly [bucket: number | null, count: number])[];

const DRAW_COUNT = 400;
/** With fewer stretches the draws are all alike. */
const STRETCH_COUNT_MIN = 8;
const [LOW_DRAW, HIGH_DRAW] = [Math.floor(DRAW_COUNT * 0.025), Math.ceil(DRAW_COUNT * 0.975) - 1];
const SEED = 1;

/** In milliseconds; null with too few stretches. `share` is between 0 and 1. */
export function percentileInterval(stretches: readonly Stretch[], share: number): MeasuredInterval | null {
  const filled = stretches.filter((stretch) => stretch.length > 0);
  if (filled.length < STRETCH_COUNT_MIN) return null;
  const random = createRandom(SEED);
  const drawn = Array.from({ length: DRAW_COUNT }, () =>
    percentileMs(
      filled.map(() => present(filled[random.uint32() % filled.length])),
      share,
    ),
  ).sort((a, b) => a - b);
  return { lowMs: present(drawn[LOW_DRAW]), highMs: present(drawn[HIGH_DRAW]) };
}

/**
 * In milliseconds, over all stretches together. Interpolates within the bucket, because whole buckets would be as
 * coarse as many intervals. NaN without values.
 */
export function percentileMs(stretches: readonly Stretch[], share: number): number {
  const buckets = stretchBuckets(stretches, Number.NEGATIVE_INFINITY);
  const rank = share * buckets.reduce((sum, [, count]) => sum + count, 0);
  let passed = 0;
  for (const [index, count] of buckets) {
    if (passed + count >= rank) {
      if (index === Number.NEGATIVE_INFINITY) return 0;
      const [low, high] = [upperBound(index - 1) * 1000, upperBound(index) * 1000];
      return low + ((high - low) * (rank - passed)) / count;
    }
    passed += count;
  }
  return Number.NaN;
}

/** Combines the buckets of all stretches, in order; values that count as zero are in `zeroBucket`. */
export function stretchBuckets(
  stretches: readonly Stretch[],
  zeroBucket: number,
): (readonly [bucket: number, count: number])[] {
  const counts = new Map<number, number>();
  for (const stretch of stretches) {
    for (const [index, count] of stretch) {
      const bucket = index ?? zeroBucket;
      counts.set(bucket, (counts.get(bucket) ?? 0) + count);
    }
  }
  return [...counts].sort(([a], [b]) => a - b);
}
