import { requireValues } from "./error.ts";
import { midranks } from "./midranks.ts";
import { normalUpperTail } from "./normal.ts";

/** Maximum number of differences for which the distribution is enumerated, with all 2^50 assignments of signs. */
export const EXACT_PAIRS_MAX = 50;

export interface SignedRankTest {
  readonly pairCount: number;
  /** Number of zero differences, which have no direction and are omitted (F. Wilcoxon 1945). */
  readonly zeroCount: number;
  /** Sums of the ranks of positive and negative differences. */
  readonly positiveRankSum: number;
  readonly negativeRankSum: number;
  /** Two-sided probability that random signs are at least as uneven; 1 if all differences are zero. */
  readonly pValue: number;
  readonly method: "exact" | "normal";
}

/**
 * Wilcoxon's signed-rank test of paired differences, in any unit, against no shift. Zeros are omitted before ranking.
 * Up to 50 differences the null distribution is exact, including ties, because it is counted over the signs of the
 * actual ranks; above that it is normal with the correction for ties and none for continuity (E. L. Lehmann,
 * Nonparametrics, 3.2). Throws a `StatsError` if there are no differences or one is not finite.
 */
export function signedRankTest(differences: ArrayLike<number>): SignedRankTest {
  requireValues(differences, "differences");
  const nonZero = Float64Array.from(differences).filter((difference) => difference !== 0);
  const { ranks, tieTerm } = midranks(nonZero.map(Math.abs));
  let positive = 0;
  let negative = 0;
  for (let i = 0; i < nonZero.length; i += 1) {
    if ((nonZero[i] as number) > 0) positive += ranks[i] as number;
    else negative += ranks[i] as number;
  }
  const isExact = nonZero.length <= EXACT_PAIRS_MAX;
  const smaller = Math.min(positive, negative);
  return {
    pairCount: differences.length,
    zeroCount: differences.length - nonZero.length,
    positiveRankSum: positive,
    negativeRankSum: negative,
    pValue: isExact ? exactP(ranks, smaller) : normalP(nonZero.length, smaller, tieTerm),
    method: isExact ? "exact" : "normal",
  };
}

function exactP(ranks: Float64Array, smaller: number): number {
  const distribution = signedRankDistribution(ranks.map((rank) => 2 * rank));
  let below = 0;
  for (let sum = 0; sum <= 2 * smaller; sum += 1) below += distribution[sum] as number;
  return Math.min(1, 2 * below);
}

/** Probability of each sum of the doubled ranks with a positive sign; doubled, so that shared ranks are integers. */
export function signedRankDistribution(doubledRanks: ArrayLike<number>): Float64Array {
  let total = 0;
  for (let i = 0; i < doubledRanks.length; i += 1) total += doubledRanks[i] as number;
  const probability = new Float64Array(total + 1);
  probability[0] = 1;
  for (let i = 0; i < doubledRanks.length; i += 1) {
    const rank = doubledRanks[i] as number;
    for (let sum = total; sum >= 0; sum -= 1) {
      const without = probability[sum] as number;
      const withRank = sum >= rank ? (probability[sum - rank] as number) : 0;
      probability[sum] = (without + withRank) / 2;
    }
  }
  return probability;
}

function normalP(count: number, smaller: number, tieTerm: number): number {
  const mean = (count * (count + 1)) / 4;
  const variance = (count * (count + 1) * (2 * count + 1)) / 24 - tieTerm / 48;
  return Math.min(1, 2 * normalUpperTail((mean - smaller) / Math.sqrt(variance)));
}
