/** For tests of pages: answers with gauges. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type {
  MetricAnswer,
  MetricColumns,
  MetricSeries,
  SeriesLabel,
} from "@stashlight/contracts/metrics/query";

/** Default time of the last report of a series. */
export const nowMs = 1_000_000;

/** Columns of a gauge that had one value in each window. */
export const gaugeColumns = (values: readonly number[]): MetricColumns => ({
  kind: "gauge",
  min: values,
  max: values,
  avg: values,
  last: values,
});

/** An answer about raw windows of ten seconds. */
export const metricAnswer = (
  metric: MetricName,
  series: readonly MetricSeries[],
  changes: Partial<MetricAnswer> = {},
): MetricAnswer => ({
  metric,
  kind: "gauge",
  unit: "count",
  resolution: "raw",
  stepMs: 10_000,
  newestMs: nowMs,
  sourceSeriesCount: 1,
  modelled: [],
  simulatedSeriesCount: 0,
  gaps: [],
  omittedSeriesCount: 0,
  series,
  ...changes,
});

/** An answer with the last value of each series. */
export const gaugeAnswer = (
  metric: MetricName,
  series: readonly [labels: Partial<Record<SeriesLabel, string>>, last: number, endMs?: number][],
): MetricAnswer =>
  metricAnswer(
    metric,
    series.map(([labels, last, endMs = nowMs]) => ({
      labels,
      endMs: [endMs],
      columns: gaugeColumns([last]),
    })),
    { sourceSeriesCount: series.length },
  );
