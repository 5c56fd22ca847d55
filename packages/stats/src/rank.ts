import { requireCount, StatsError } from "./error.ts";

const MILLION = 1_000_000;

/**
 * Returns the rank, from 1, of a quantile among `count` samples, by nearest rank: the smallest rank such that at least
 * this share of the samples is at or below it. The share is in parts per million, and all arithmetic is in integers, so
 * that p99 of 1,000 samples is the 990th and not, by a rounding of 0.99, its neighbour.
 */
export function nearestRank(count: number, perMillion: number): number {
  requireCount(count, "The number of samples of a rank", 1, Number.MAX_SAFE_INTEGER);
  assertShare(perMillion);
  const millions = Math.floor(count / MILLION);
  const rest = count - millions * MILLION;
  return Math.max(1, millions * perMillion + Math.ceil((rest * perMillion) / MILLION));
}

/** Returns the value at the nearest rank of a quantile: always one of the sorted values, never one in between. */
export function quantileOfSorted(sorted: ArrayLike<number>, perMillion: number): number {
  return sorted[nearestRank(sorted.length, perMillion) - 1] as number;
}

/**
 * Returns the number of samples below which a quantile is one of the last ten values and moves with each of them; show
 * the maximum instead.
 */
export function samplesNeeded(perMillion: number): number {
  assertShare(perMillion);
  const above = MILLION - perMillion;
  return above === 0 ? 1 : Math.ceil((10 * MILLION) / above);
}

function assertShare(perMillion: number): void {
  requireCount(perMillion, "A quantile in parts per million", 0, MILLION);
}

/** Accepted probability that no sample is beyond a percentile. */
const UNSURE = 0.05;

/**
 * Number of samples of a run from which a percentile can be given: with 95 % probability at least one of them is beyond
 * it, on its farther side, so that it is not just the largest or smallest value. The smallest n with share^n <= 0.05
 * (S. S. Wilks 1941; G. J. Hahn, W. Q. Meeker, Statistical Intervals, 5.3): 59 for p95, 299 for p99, 2,995 for p99.9.
 * The share is in parts per million, above 0 and below 1,000,000.
 */
export function percentileSamplesMin(perMillion: number): number {
  assertShare(perMillion);
  if (perMillion === 0 || perMillion === MILLION) {
    throw new StatsError("bad-argument", "The smallest and the largest value are not percentiles.");
  }
  const farther = Math.max(perMillion, MILLION - perMillion) / MILLION;
  return Math.ceil(Math.log(UNSURE) / Math.log(farther));
}
