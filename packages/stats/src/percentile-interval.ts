import { quantileOfSorted } from "./rank.ts";
import type { Interval } from "./sorted.ts";

/** Percentiles of draws, excluding draws without a value. */
export function percentileInterval(draws: Float64Array, confidence: number): Interval | null {
  const sorted = draws.filter(Number.isFinite).sort();
  if (sorted.length === 0) return null;
  const tail = Math.round(((1 - confidence) / 2) * 1e6);
  return {
    low: quantileOfSorted(sorted, tail),
    high: quantileOfSorted(sorted, 1e6 - tail),
    confidence,
  };
}
