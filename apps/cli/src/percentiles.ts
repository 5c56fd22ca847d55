import { quantileOfSorted } from "@stashlight/stats/rank";

export interface Percentiles {
  readonly sampleCount: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** Nearest rank, so that each is a measured value. Null without values. */
export function computePercentiles(values: readonly number[]): Percentiles | null {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return null;
  const at = (perMillion: number): number => quantileOfSorted(sorted, perMillion);
  return {
    sampleCount: sorted.length,
    p50: at(500_000),
    p90: at(900_000),
    p99: at(990_000),
    max: at(1_000_000),
  };
}
