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
   * run are correlated, and of this one look: it withholds a verdict and names nobody, so it errs on the cautious side.
   */
  readonly pValue: number;
}

/** Success rates of paired runs, by the signed-rank test of their failed shares. Throws a `StatsError` without a run. */
export function compareSuccess(failedA: Float64Array, failedB: Float64Array): SuccessRates {
  const differences = failedA.map((share, i) => share - (failedB[i] as number));
  return {
    slotCount: failedA.length,
    a: 1 - meanOf(failedA),
    b: 1 - meanOf(failedB),
    pValue: signedRankTest(differences).pValue,
  };
}
