import { meanOf } from "./sorted.ts";
import { signedRankTest } from "./wilcoxon.ts";

export interface SuccessRates {
  /** Slots in which both had a run, whatever came of it. */
  readonly slotCount: number;
  /** Means over these slots of the share of samples that succeeded. */
  readonly a: number;
  readonly b: number;
  /**
   * How often chance alone sets the rates at least as far apart; 1 where nothing failed. By runs, because failures of one
   * run are correlated, and of this one look: it withholds a verdict on speed, so it errs on the cautious side.
   */
  readonly pValue: number;
}

export interface SuccessComparison extends SuccessRates {
  /** The one with the higher rate, if most of the ranks agree; a few outages may decide the rates against all other runs. */
  readonly better: "a" | "b" | null;
}

/** Success rates of paired runs, by the signed-rank test of their failed shares. Throws a `StatsError` without a run. */
export function compareSuccess(failedA: Float64Array, failedB: Float64Array): SuccessComparison {
  const differences = failedA.map((share, i) => share - (failedB[i] as number));
  const { positiveRankSum, negativeRankSum, pValue } = signedRankTest(differences);
  const [a, b] = [1 - meanOf(failedA), 1 - meanOf(failedB)];
  const isAgreed = Math.sign(b - a) === Math.sign(positiveRankSum - negativeRankSum);
  return { slotCount: failedA.length, a, b, pValue, better: !isAgreed || a === b ? null : a > b ? "a" : "b" };
}
