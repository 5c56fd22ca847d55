/**
 * Where a percentile of a histogram's metric lies. Slow uploads come in bursts, so that they say less than as many of
 * independent ones would: whole stretches of time are drawn again and again (a block bootstrap: H. R. Künsch, 1989), and
 * of the percentiles of all these draws the middle 95 % are the interval.
 */
import type { MeasuredInterval } from "@stashlight/contracts";
import { createRandom, nearestRank } from "@stashlight/stats";
import { upperBound } from "@stashlight/telemetry";

/** How many values of a stretch lay in which bucket; null stands for what counts as zero. */
export type Stretch = readonly (readonly [bucket: number | null, count: number])[];

const DRAW_COUNT = 400;
/** Of fewer stretches the draws are all alike. */
const STRETCH_COUNT_MIN = 8;
const [LOW_DRAW, HIGH_DRAW] = [Math.floor(DRAW_COUNT * 0.025), Math.ceil(DRAW_COUNT * 0.975) - 1];
const SEED = 1;

/** In milliseconds; null of too few stretches. The share is in parts per million. */
export function percentileInterval(
  stretches: readonly Stretch[],
  perMillion: number,
): MeasuredInterval | null {
  const filled = stretches.filter((stretch) => stretch.length > 0);
  if (filled.length < STRETCH_COUNT_MIN) return null;
  const random = createRandom(SEED);
  const drawn = Array.from({ length: DRAW_COUNT }, () => {
    const counts = new Map<number, number>();
    for (let i = 0; i < filled.length; i += 1)
      addTo(counts, filled[random.uint32() % filled.length] as Stretch);
    return percentileMs(counts, perMillion);
  }).sort((a, b) => a - b);
  return { lowMs: drawn[LOW_DRAW] as number, highMs: drawn[HIGH_DRAW] as number };
}

function addTo(counts: Map<number, number>, stretch: Stretch): void {
  for (const [bucket, count] of stretch) {
    const index = bucket ?? Number.NEGATIVE_INFINITY;
    counts.set(index, (counts.get(index) ?? 0) + count);
  }
}

/** The upper bound of the bucket in which it lies. */
function percentileMs(counts: ReadonlyMap<number, number>, perMillion: number): number {
  const buckets = [...counts].sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let left = nearestRank(total, perMillion);
  const found = buckets.find(([, count]) => {
    left -= count;
    return left <= 0;
  });
  const index = found?.[0] ?? Number.NEGATIVE_INFINITY;
  return index === Number.NEGATIVE_INFINITY ? 0 : upperBound(index) * 1000;
}
