import { requireWithin } from "./error.ts";
import { normalQuantileUpper } from "./normal.ts";
import { type Interval, sortedCopy } from "./sorted.ts";
import { EXACT_PAIRS_MAX, signedRankDistribution } from "./wilcoxon.ts";

export interface Shift {
  /** In the unit of the values. */
  readonly shift: number;
  /** Null if there are too few values for the confidence. */
  readonly interval: Interval | null;
}

/**
 * Hodges-Lehmann's estimate of the shift from differences of pairs: the median of all means of two, each with itself
 * included, and its interval by the distribution of the signed-rank statistic, exact up to 50 differences and normal
 * above (M. Hollander, D. A. Wolfe, Nonparametric Statistical Methods, 3.2 and 3.3). Throws a `StatsError` when there are
 * no differences or one is not finite.
 */
export function pairedShift(differences: ArrayLike<number>, confidence = 0.95): Shift {
  requireWithin(confidence, "The confidence", 0.5, 0.9999);
  const sorted = sortedCopy(differences, "differences");
  const n = sorted.length;
  const pairCount = (n * (n + 1)) / 2;
  const select: Select = (rank) =>
    smallestWithCount(sorted[0] as number, sorted[n - 1] as number, rank, (limit) =>
      countMeans(sorted, limit),
    );
  return toShift(
    select,
    pairCount,
    n <= EXACT_PAIRS_MAX ? exactRank(n, confidence) : normalRank(n, confidence),
  );
}

/**
 * Hodges-Lehmann's estimate of how much larger `a` is than `b` when they are not paired: the median of all differences
 * of an a and a b, and its interval by the normal distribution of Mann-Whitney's statistic (Hollander and Wolfe, 4.2 and
 * 4.3). Throws a `StatsError` when a side is empty or holds a value that is not finite.
 */
export function unpairedShift(a: ArrayLike<number>, b: ArrayLike<number>, confidence = 0.95): Shift {
  requireWithin(confidence, "The confidence", 0.5, 0.9999);
  const left = sortedCopy(a, "values of a");
  const right = sortedCopy(b, "values of b");
  const low = (left[0] as number) - (right[right.length - 1] as number);
  const high = (left[left.length - 1] as number) - (right[0] as number);
  const product = left.length * right.length;
  const sd = Math.sqrt((product * (left.length + right.length + 1)) / 12);
  const rank = Math.floor(product / 2 - normalQuantileUpper((1 - confidence) / 2) * sd);
  const select: Select = (wanted) =>
    smallestWithCount(low, high, wanted, (limit) => countDifferences(left, right, limit));
  return toShift(select, product, rank >= 1 ? { rank, confidence } : null);
}

type Select = (rank: number) => number;

interface LowRank {
  readonly rank: number;
  readonly confidence: number;
}

function toShift(select: Select, count: number, low: LowRank | null): Shift {
  const upper = select(Math.floor(count / 2) + 1);
  const shift = count % 2 === 1 ? upper : select(count / 2) / 2 + upper / 2;
  if (low === null) return { shift, interval: null };
  const interval = {
    low: select(low.rank),
    high: select(count + 1 - low.rank),
    confidence: low.confidence,
  };
  return { shift, interval };
}

/** Number of cached exact ranks, enough for at most 50 differences at the few confidence levels in use. */
const KEPT_MAX = 1000;
const kept = new Map<string, LowRank | null>();

function exactRank(n: number, confidence: number): LowRank | null {
  const key = `${n} ${confidence}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= KEPT_MAX) kept.clear();
  const rank = countExactRank(n, confidence);
  kept.set(key, rank);
  return rank;
}

function countExactRank(n: number, confidence: number): LowRank | null {
  const distribution = signedRankDistribution(Uint16Array.from({ length: n }, (_, i) => i + 1));
  const tail = (1 - confidence) / 2;
  let below = 0;
  let rank = 0;
  while (below + (distribution[rank] as number) <= tail) {
    below += distribution[rank] as number;
    rank += 1;
  }
  return rank === 0 ? null : { rank, confidence: 1 - 2 * below };
}

function normalRank(n: number, confidence: number): LowRank {
  const sd = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
  const rank = Math.floor((n * (n + 1)) / 4 - normalQuantileUpper((1 - confidence) / 2) * sd);
  return { rank, confidence };
}

/**
 * Returns the smallest double at or below which `rank` values of a set are found, which is an element of the set:
 * bisects until no double is between the bounds. The set, of millions of pairs, is never built; counting takes one pass
 * over the values.
 */
function smallestWithCount(
  min: number,
  max: number,
  rank: number,
  countUpTo: (limit: number) => number,
): number {
  let low = min;
  let high = max;
  if (countUpTo(low) >= rank) return low;
  for (;;) {
    const middle = low / 2 + high / 2;
    if (middle <= low || middle >= high) return high;
    if (countUpTo(middle) >= rank) high = middle;
    else low = middle;
  }
}

/** Counts pairs i <= j whose mean is at most `limit`: as i rises, the last such j falls. */
function countMeans(sorted: Float64Array, limit: number): number {
  let count = 0;
  let j = sorted.length - 1;
  for (let i = 0; i < sorted.length; i += 1) {
    const half = (sorted[i] as number) / 2;
    while (j >= i && half + (sorted[j] as number) / 2 > limit) j -= 1;
    if (j < i) break;
    count += j - i + 1;
  }
  return count;
}

function countDifferences(left: Float64Array, right: Float64Array, limit: number): number {
  let count = 0;
  let j = 0;
  for (let i = 0; i < left.length; i += 1) {
    while (j < right.length && (left[i] as number) - (right[j] as number) > limit) j += 1;
    if (j === right.length) break;
    count += right.length - j;
  }
  return count;
}
