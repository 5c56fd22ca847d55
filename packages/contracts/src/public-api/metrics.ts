import { z } from "zod";
import { metricName, seriesLabel } from "../metrics/query/query.ts";
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
      "Of a histogram p50, p90, p99 (unless another is named), p999, min, max, mean or count; of a gauge last, avg, min or max; of a counter rate (per second) or increase.",
    ),
  from: timeExpression.default("now-1h").describe("An ISO 8601 time, now, or now-6h (s, m, h, d, w)."),
  to: timeExpression.default("now").describe("As `from`."),
  step: z.coerce
    .number()
    .min(1)
    .max(5_000_000)
    .optional()
    .describe("Fewest seconds that a point covers; `source.stepSeconds` has the actual number."),
  label: z
    .array(z.string().regex(labelPattern, "Enter a label as name:value, such as vault:main."))
    .max(50)
    .default([])
    .describe(
      "Only series with this label, as name:value; several values of a name are alternatives. Without a vault, all vaults that are not simulated.",
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
    newestAt: instantOrNull.describe("End of the newest stored window, even outside the range."),
    ageSeconds: numberOrNull.describe("Age of that window."),
    modelled: z.array(z.string()).describe("Models of drives whose timing is modelled rather than measured."),
    simulatedSeriesCount: count,
  }),
  gaps: z
    .array(z.object({ node: z.string(), from: instant, to: instant, reason: z.string() }))
    .describe("Times for which a node's data is lost for good."),
  late: z
    .object({ since: instant, nodes: z.array(z.string()), lateCount: count, nodeCount: count })
    .nullable()
    .describe("For sums: nodes that do not report while others do."),
  partial: z
    .object({ pointCount: count, seriesCountMin: count, seriesCount: count })
    .nullable()
    .describe("Points of a sum for which some of its series are missing."),
  omittedSeriesCount: count,
  series: z.array(seriesSchema),
});
