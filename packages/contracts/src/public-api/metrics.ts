import { z } from "zod";
import { metricName, seriesLabel } from "../metrics/query.ts";
import { answeredAt, count, instant, instantOrNull, numberOrNull } from "./field-schemas.ts";

/** Statistics of a point for each kind of metric; the first is the default. */
export const metricStatistics = {
  histogram: ["p99", "p50", "p90", "p999", "min", "max", "mean", "count"],
  gauge: ["last", "avg", "min", "max"],
  counter: ["rate", "increase"],
} as const;
const statistics = [
  ...new Set([...metricStatistics.histogram, ...metricStatistics.gauge, ...metricStatistics.counter]),
] as const;
export type MetricStatistic = (typeof statistics)[number];

const labelPattern = /^[a-z_]+:.{1,200}$/;
const timeExpression = z.string().min(1).max(40);

export const queryMetricParameters = z.strictObject({
  metric: metricName.describe("A metric of docs/metrics.md."),
  statistic: z
    .enum(statistics)
    .optional()
    .describe(
      "Of a histogram p50, p90, p99 (unless another is named), p999, min, max, mean or count; of a gauge last, avg, min or max; of a counter rate (a second) or increase.",
    ),
  from: timeExpression.default("now-1h").describe("An ISO 8601 time, now, or now-6h (s, m, h, d, w)."),
  to: timeExpression.default("now").describe("As `from`."),
  step: z.coerce
    .number()
    .min(1)
    .max(5_000_000)
    .optional()
    .describe("Seconds that a point covers at least; `source.stepSeconds` has the actual number."),
  label: z
    .array(z.string().regex(labelPattern, "Write a label as name:value, such as vault:main."))
    .max(50)
    .default([])
    .describe(
      "Only series with this label, as name:value; several values of a name are alternatives. Without a vault, every vault that is not simulated.",
    ),
  by: z
    .array(seriesLabel)
    .max(4)
    .default([])
    .describe("One series for each value of this label; without it all are merged into one."),
  across: z
    .enum(["sum", "avg", "min", "max"])
    .default("sum")
    .describe("Aggregation of the gauges of one group. Counters are added, histograms merged."),
});

const pointSchema = z.object({
  at: instant.describe("End of the time that the point covers."),
  value: numberOrNull.describe("Null: too few samples for this percentile."),
  n: count.nullable().describe("Samples behind the value; null for gauges and counters."),
});

const seriesSchema = z.object({
  labels: z.record(z.string(), z.string()),
  sampleCount: count.nullable().describe("Samples of all points; null for gauges and counters."),
  points: z.array(pointSchema).describe("Times without a point are gaps, never zeros."),
});

export const metricAnswer = z.object({
  answeredAt,
  metric: z.string(),
  kind: z.enum(["counter", "gauge", "histogram"]),
  unit: z.string().describe("Unit of the values; for a rate, per second."),
  statistic: z.enum(statistics),
  from: instant,
  to: instant,
  source: z.object({
    resolution: z.enum(["raw", "1m", "10m", "1h"]),
    stepSeconds: z.number(),
    seriesCount: count,
    newestAt: instantOrNull.describe("End of the newest window that is stored, whatever the range."),
    ageSeconds: numberOrNull.describe("How old that is."),
    modelled: z.array(z.string()).describe("Models of drives whose timing is modelled rather than measured."),
    simulatedSeriesCount: count,
  }),
  gaps: z
    .array(z.object({ node: z.string(), from: instant, to: instant, reason: z.string() }))
    .describe("Times of nodes of which nothing will come any more."),
  late: z
    .object({ since: instant, nodes: z.array(z.string()), lateCount: count, nodeCount: count })
    .nullable()
    .describe("Nodes that do not report while others do, where values are added up."),
  partial: z
    .object({ pointCount: count, seriesCountMin: count, seriesCount: count })
    .nullable()
    .describe("Points of a sum that lack some of its series."),
  omittedSeriesCount: count,
  series: z.array(seriesSchema),
});
