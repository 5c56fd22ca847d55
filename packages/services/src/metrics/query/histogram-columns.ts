import type { MetricColumns } from "@stashlight/contracts/metrics/query";
import { samplesNeeded } from "@stashlight/stats";
import type { ExponentialHistogram } from "@stashlight/telemetry";
import { present } from "../../present.ts";

export const QUANTILES = { p50: 500_000, p90: 900_000, p99: 990_000, p999: 999_000 } as const;

/** Returns null with too few values for the percentile. */
export const quantileOrNull = (histogram: ExponentialHistogram, perMillion: number): number | null =>
  histogram.count >= samplesNeeded(perMillion) ? histogram.quantile(perMillion) : null;

/** One element per histogram; none is empty. */
export function histogramColumns(histograms: readonly ExponentialHistogram[]): MetricColumns {
  const quantile = (perMillion: number): (number | null)[] =>
    histograms.map((each) => quantileOrNull(each, perMillion));
  return {
    kind: "histogram",
    n: histograms.map(({ count }) => count),
    sum: histograms.map(({ sum }) => sum),
    min: histograms.map(({ min }) => present(min)),
    max: histograms.map(({ max }) => present(max)),
    p50: quantile(QUANTILES.p50),
    p90: quantile(QUANTILES.p90),
    p99: quantile(QUANTILES.p99),
    p999: quantile(QUANTILES.p999),
  };
}
