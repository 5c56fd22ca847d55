import { requireValues, StatsError } from "./error.ts";
import { midranks } from "./midranks.ts";

/** Correlation above which the latency of a run follows the order of its samples. */
const DRIFT_RHO = 0.3;

/**
 * Spearman's rank correlation, from -1 to 1: Pearson's of the ranks, where ties share their mean rank (C. Spearman
 * 1904). Null if all values of a side are equal. Throws a `StatsError` on sides of unequal length, fewer than two
 * values or values that are not finite.
 */
export function spearman(a: ArrayLike<number>, b: ArrayLike<number>): number | null {
  requireValues(a, "values of a", 2);
  requireValues(b, "values of b", 2);
  if (a.length !== b.length) {
    throw new StatsError(
      "bad-argument",
      `Side a has ${a.length} values and b ${b.length}; they come in pairs.`,
    );
  }
  const left = midranks(a).ranks;
  const right = midranks(b).ranks;
  const mean = (a.length + 1) / 2;
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let i = 0; i < left.length; i += 1) {
    const x = (left[i] as number) - mean;
    const y = (right[i] as number) - mean;
    product += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  if (squaresA === 0 || squaresB === 0) return null;
  return Math.max(-1, Math.min(1, product / Math.sqrt(squaresA * squaresB)));
}

export interface Drift {
  readonly rho: number | null;
  readonly isDrifting: boolean;
}

/** Returns true if latencies rise or fall in the order of their samples. Throws as `spearman` does. */
export function computeDrift(latencies: ArrayLike<number>): Drift {
  const rho = spearman(
    Float64Array.from({ length: latencies.length }, (_, i) => i),
    latencies,
  );
  return { rho, isDrifting: rho !== null && Math.abs(rho) > DRIFT_RHO };
}
