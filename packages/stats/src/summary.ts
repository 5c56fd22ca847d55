import { requireValues, StatsError } from "./error.ts";
import { medianIntervalOfRun } from "./median-interval.ts";
import { nearestRank, percentileSamplesMin } from "./rank.ts";
import { arithmeticMean, type Interval, squaresAround } from "./sorted.ts";

/** Durations of one run and size, in any one unit. */
export interface RunDurations {
  /** Durations of successful operations, in the order of their starts. */
  readonly ok: ArrayLike<number>;
  /** Durations of operations that failed or timed out, until they were abandoned. */
  readonly censored: ArrayLike<number>;
}

export interface Percentile {
  readonly perMillion: number;
  /** Null if the percentile is among the censored samples and so longer than any success. */
  readonly value: number | null;
  /** False with too few samples; the value should then be greyed. */
  readonly hasEnoughSamples: boolean;
  readonly samplesMin: number;
}

export const percentileNames = {
  p5: 50_000,
  p25: 250_000,
  median: 500_000,
  p75: 750_000,
  p90: 900_000,
  p95: 950_000,
  p99: 990_000,
  p999: 999_000,
} as const;
export type PercentileName = keyof typeof percentileNames;

export interface RunSummary {
  /** Number of all samples, including failures. */
  readonly n: number;
  readonly failureCount: number;
  readonly successRate: number;
  /** Mean of successes only, so it should be shown with the success rate. Null without a success. */
  readonly mean: number | null;
  /** With n - 1 as the divisor; null with fewer than two successes. */
  readonly sd: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly percentiles: Readonly<Record<PercentileName, Percentile>>;
  /** Valid for correlated samples; null if there are too few of them, or if its upper end is censored. */
  readonly medianInterval: Interval | null;
}

/**
 * Summarises one run. A censored sample's true duration is unknown, but to its caller it was longer than any success,
 * so it ranks last. Percentiles and the median's interval are those of all samples, so an endpoint does not become fast
 * by failing its slow operations. Values are neither removed nor smoothed; percentiles are by nearest rank. Throws a
 * `StatsError` if there are no samples, or one is negative or not finite.
 */
export function summariseRun(durations: RunDurations): RunSummary {
  const { ok, censored } = durations;
  requireValues(ok, "durations", 0);
  requireValues(censored, "durations of failures", 0);
  const sorted = Float64Array.from(ok).sort();
  const n = sorted.length + censored.length;
  if (n === 0) throw new StatsError("empty", "There are no durations: a run without samples has no summary.");
  const count = sorted.length;
  const mean = count === 0 ? null : arithmeticMean(sorted);
  const percentiles = Object.fromEntries(
    Object.entries(percentileNames).map(([name, perMillion]) => [name, percentile(sorted, n, perMillion)]),
  ) as Record<PercentileName, Percentile>;
  return {
    n,
    failureCount: censored.length,
    successRate: count / n,
    mean,
    sd: mean === null || count < 2 ? null : Math.sqrt(squaresAround(sorted, mean) / (count - 1)),
    min: sorted[0] ?? null,
    max: sorted[count - 1] ?? null,
    percentiles,
    medianInterval: medianIntervalOfRun({ inOrder: ok, sorted, censoredCount: censored.length }),
  };
}

function percentile(sorted: Float64Array, n: number, perMillion: number): Percentile {
  const samplesMin = percentileSamplesMin(perMillion);
  return {
    perMillion,
    value: sorted[nearestRank(n, perMillion) - 1] ?? null,
    hasEnoughSamples: n >= samplesMin,
    samplesMin,
  };
}
