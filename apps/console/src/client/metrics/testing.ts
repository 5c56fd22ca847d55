/** For tests of pages: answers with gauges. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, SeriesLabel } from "@stashlight/contracts/metrics/query";

/** Default time of the last report of a series. */
export const nowMs = 1_000_000;

/** An answer with the last value of each series. */
export function gaugeAnswer(
  metric: MetricName,
  series: readonly [labels: Partial<Record<SeriesLabel, string>>, last: number, endMs?: number][],
): MetricAnswer {
  return {
    metric,
    kind: "gauge",
    unit: "count",
    resolution: "raw",
    stepMs: 10_000,
    newestMs: nowMs,
    sourceSeriesCount: series.length,
    modelled: [],
    simulatedSeriesCount: 0,
    gaps: [],
    omittedSeriesCount: 0,
    series: series.map(([labels, last, endMs = nowMs]) => ({
      labels,
      endMs: [endMs],
      columns: { kind: "gauge", min: [last], max: [last], avg: [last], last: [last] },
    })),
  };
}
