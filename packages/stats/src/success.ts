import { arithmeticMean } from "./sorted.ts";
import { signedRankTest } from "./wilcoxon.ts";

export interface SuccessRates {
  /** Slots in which both endpoints had a run, successful or not. */
  readonly slotCount: number;
  /** Mean shares of successful samples over these slots. */
  readonly a: number;
  readonly b: number;
  /**
   * Probability that chance alone separates the rates at least as far; 1 if nothing failed. It is by runs, because
   * failures of one run are correlated, and uncorrected for repeated looks: it withholds a verdict on speed, so it errs
   * on the cautious side.
   */
  readonly pValue: number;
}

export interface SuccessComparison extends SuccessRates {
  /**
   * Endpoint with the higher rate, if most of the ranks agree; a few outages could otherwise outweigh all other runs.
   */
  readonly better: "a" | "b" | null;
}

/**
 * Success rates of paired runs, by the signed-rank test of their failed shares. Throws a `StatsError` if there are no
 * runs.
 */
export function compareSuccess(failedA: Float64Array, failedB: Float64Array): SuccessComparison {
  const differences = failedA.map((share, i) => share - (failedB[i] as number));
  const { positiveRankSum, negativeRankSum, pValue } = signedRankTest(differences);
  const [a, b] = [1 - arithmeticMean(failedA), 1 - arithmeticMean(failedB)];
  const isAgreed = Math.sign(b - a) === Math.sign(positiveRankSum - negativeRankSum);
  return { slotCount: failedA.length, a, b, pValue, better: !isAgreed || a === b ? null : a > b ? "a" : "b" };
}
