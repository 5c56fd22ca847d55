import { requireValues } from "./error.ts";
import { midranks } from "./midranks.ts";
import { normalUpperTail } from "./normal.ts";

/** Maximum number of values of both sides together for which the distribution is enumerated. */
const EXACT_COUNT_MAX = 40;

export interface RankSumTest {
  /** Number of pairs in which a is larger than b, plus half of the equal ones. */
  readonly u: number;
  /** Two-sided p-value. */
  readonly pValue: number;
  readonly method: "exact" | "normal";
  /**
   * Cliff's delta, from -1 to 1: probability that a random a is larger than a random b, minus that it is smaller (N.
   * Cliff 1993: 2U / (count a x count b) - 1).
   */
  readonly cliffsDelta: number;
  /** Classes of J. Romano 2006: negligible below 0.147, small below 0.33, medium below 0.474. */
  readonly magnitude: "negligible" | "small" | "medium" | "large";
}

/**
 * Mann-Whitney's test of whether values of `a` tend to be larger or smaller than those of `b`; unpaired, in one unit.
 * Up to 40 values the null distribution is exact, including ties; above that it is normal with corrections for ties and
 * for continuity (E. L. Lehmann, Nonparametrics, 1.3 and 1.4). If all values are equal, p is 1. Throws a `StatsError`
 * if a side is empty or contains a value that is not finite.
 */
export function rankSumTest(a: ArrayLike<number>, b: ArrayLike<number>): RankSumTest {
  requireValues(a, "values of a");
  requireValues(b, "values of b");
  const all = new Float64Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  const { ranks, tieTerm } = midranks(all);
  let rankSum = 0;
  for (let i = 0; i < a.length; i += 1) rankSum += ranks[i] as number;
  const u = rankSum - (a.length * (a.length + 1)) / 2;
  const isExact = all.length <= EXACT_COUNT_MAX;
  const cliffsDelta = (2 * u) / (a.length * b.length) - 1;
  return {
    u,
    pValue: isExact ? exactP(ranks, a.length, rankSum) : normalP(u, a.length, b.length, tieTerm),
    method: isExact ? "exact" : "normal",
    cliffsDelta,
    magnitude: classifyDelta(Math.abs(cliffsDelta)),
  };
}

function classifyDelta(delta: number): RankSumTest["magnitude"] {
  if (delta < 0.147) return "negligible";
  if (delta < 0.33) return "small";
  return delta < 0.474 ? "medium" : "large";
}

/**
 * Counts all ways to choose the ranks of a: `ways[chosen][sum]`, with doubled ranks so that shared ones are integers.
 */
function exactP(ranks: Float64Array, countA: number, rankSum: number): number {
  const total = ranks.length * (ranks.length + 1);
  const ways = Array.from({ length: countA + 1 }, () => new Float64Array(total + 1));
  (ways[0] as Float64Array)[0] = 1;
  for (const rank of ranks) {
    const doubled = 2 * rank;
    for (let chosen = countA; chosen >= 1; chosen -= 1) {
      const to = ways[chosen] as Float64Array;
      const from = ways[chosen - 1] as Float64Array;
      for (let sum = total; sum >= doubled; sum -= 1) {
        to[sum] = (to[sum] as number) + (from[sum - doubled] as number);
      }
    }
  }
  const counts = ways[countA] as Float64Array;
  const at = 2 * rankSum;
  let below = 0;
  let above = 0;
  let all = 0;
  for (let sum = 0; sum <= total; sum += 1) {
    const count = counts[sum] as number;
    all += count;
    if (sum <= at) below += count;
    if (sum >= at) above += count;
  }
  return Math.min(1, (2 * Math.min(below, above)) / all);
}

function normalP(u: number, countA: number, countB: number, tieTerm: number): number {
  const n = countA + countB;
  const variance = ((countA * countB) / 12) * (n + 1 - tieTerm / (n * (n - 1)));
  if (variance <= 0) return 1;
  const distance = Math.abs(u - (countA * countB) / 2) - 0.5;
  return Math.min(1, 2 * normalUpperTail(distance / Math.sqrt(variance)));
}
