/**
 * Queries of charts to the metric store, and their answers. An answer states its origin: its resolution, how new the
 * newest window is, what is missing and why, and whether values are modelled or simulated.
 */

import { z } from "zod";
import { DAY_MS } from "../../time/duration.ts";
import { vaultCountMax } from "../../vault/vault.ts";
import { type MetricName, metricCatalogue } from "../catalogue.ts";
import type { MetricDefinition, MetricKind, MetricLabel, MetricUnit } from "../definition.ts";

const metricNames = Object.keys(metricCatalogue) as [MetricName, ...MetricName[]];

/** A label of the catalogue, or the node that measured the value and its vault. */
export type SeriesLabel = MetricLabel | "node" | "vault" | "modelled";

const definitions: readonly MetricDefinition[] = Object.values(metricCatalogue);
const seriesLabels: [SeriesLabel, ...SeriesLabel[]] = [
  "node",
  "vault",
  "modelled",
  ...new Set(definitions.flatMap(({ labels }) => labels)),
];

export const metricName = z.enum(metricNames);
export const seriesLabel = z.enum(seriesLabels);

/** Longer ranges are queried in parts; the store keeps two years. */
const RANGE_MS_MAX = 750 * DAY_MS;

const range = {
  metric: metricName,
  fromMs: z.int().min(0),
  toMs: z.int().min(0),
  /** All nodes if absent. */
  nodeIds: z.array(z.uuid()).min(1).max(10_000).optional(),
  /** Only series whose label has one of these values. */
  where: z.partialRecord(seriesLabel, z.array(z.string().max(200)).min(1).max(vaultCountMax)).default({}),
};

const gaugeColumn = z.enum(["min", "max", "avg", "last"]).default("max");

const isRange = ({ fromMs, toMs }: { fromMs: number; toMs: number }): boolean =>
  toMs > fromMs && toMs - fromMs <= RANGE_MS_MAX;
const rangeMessage = "A range must end after it begins and be at most 750 days long.";

export const metricQueryInput = z
  .object({
    ...range,
    /** One series per set of values of these labels; all others are merged. */
    groupBy: z.array(seriesLabel).max(4).default([]),
    /** Aggregation of the gauges of one group. Counters are added, histograms merged. */
    across: z.enum(["sum", "avg", "min", "max"]).default("sum"),
    pointCountMax: z.int().min(5).max(2000).default(400),
    /**
     * Returns values for tiles and tables instead of points: the summary of a histogram, the newest point of a gauge,
     * one point with the whole increase of a counter.
     */
    summarise: z.boolean().optional(),
    /** Adds to the summary where the level of each series last changed. */
    findsChanges: z.boolean().optional(),
    /** Adds to the summary the range in at most `pointCountMax` points, for a line too small for axes. */
    trend: z.object({ pointCountMax: z.int().min(10).max(120), ofGauge: gaugeColumn }).optional(),
  })
  .refine(isRange, rangeMessage);
export type MetricQuery = z.infer<typeof metricQueryInput>;

export const metricHeatmapInput = z
  .object({ ...range, columnCountMax: z.int().min(20).max(400).default(160) })
  .refine(isRange, rangeMessage);
export type MetricHeatmapQuery = z.infer<typeof metricHeatmapInput>;

export const metricLabelsInput = z.object({ metric: metricName, where: range.where });
export type MetricLabelsQuery = z.infer<typeof metricLabelsInput>;

/** Values of one label of a metric, sorted by name. */
export interface LabelValues {
  readonly values: readonly string[];
  /** Number of values left out because there were too many. */
  readonly omittedCount: number;
}

/** Labels that distinguish the stored series of a metric; a label that no series has is absent. */
export interface MetricLabelsAnswer {
  readonly seriesCount: number;
  readonly labels: Readonly<Partial<Record<SeriesLabel, LabelValues>>>;
}

export type MetricResolution = "raw" | "1m" | "10m" | "1h";

/** Time range of a node whose data is lost for good. */
export interface MetricGap {
  readonly nodeId: string;
  readonly nodeName: string;
  readonly startMs: number;
  readonly endMs: number;
  /** As reported by the agent; telemetry's gap.ts lists the reasons. */
  readonly reason: string;
}

/** Columns of equal length, with an entry per point. */
export type MetricColumns =
  | {
      readonly kind: "histogram";
      /** Never zero, because a window without a value has no point. */
      readonly n: readonly number[];
      readonly sum: readonly number[];
      readonly min: readonly number[];
      readonly max: readonly number[];
      /** Nearest rank; null with fewer than 20 values for p50, 100 for p90, 1,000 for p99, 10,000 for p999. */
      readonly p50: readonly (number | null)[];
      readonly p90: readonly (number | null)[];
      readonly p99: readonly (number | null)[];
      readonly p999: readonly (number | null)[];
    }
  | {
      readonly kind: "gauge";
      readonly min: readonly number[];
      readonly max: readonly number[];
      readonly avg: readonly number[];
      readonly last: readonly number[];
    }
  | { readonly kind: "counter"; readonly increase: readonly number[] };

/** Several windows of a histogram merged into one. */
export interface MergedWindows {
  /** From the start of the first window with a value to the end of the last. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly n: number;
  readonly max: number;
  /** Null if there are too few values, as for a point. */
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
}

export interface HistogramSummary {
  readonly whole: MergedWindows;
  /** The newest points that together have enough values for a p99; all points if there are too few. */
  readonly newest: MergedWindows;
  /** The last level change in the range; null if there is none, or too few points. Only on request. */
  readonly change?: LevelChange | null;
}

/** Medians of points' medians, or of their means if points have too few values. */
export interface LevelChange {
  /** Start of the first point of the current level. */
  readonly sinceMs: number;
  readonly before: number;
  readonly after: number;
}

export interface MetricSeries {
  readonly labels: Readonly<Partial<Record<SeriesLabel, string>>>;
  /** Point i covers the time from `endMs[i] - stepMs` to `endMs[i]`. Times without a point are gaps, never zeros. */
  readonly endMs: readonly number[];
  readonly columns: MetricColumns;
  /** For histograms, on request; there are no points then. */
  readonly summary?: HistogramSummary;
  /** Only on request, and once there is a whole point. */
  readonly trend?: MetricTrend;
}

/**
 * A summarised range in a few points, each of whole windows that have all been reported: one statistic, to four digits,
 * because a page requests dozens of these.
 */
export interface MetricTrend {
  /**
   * For a histogram, the highest percentile for which at least half of the points have enough samples, or else "max";
   * for a gauge, the requested one.
   */
  readonly column: TrendColumn;
  readonly stepMs: number;
  /** Point i covers the `stepMs` up to `firstEndMs + i * stepMs`. */
  readonly firstEndMs: number;
  /** Null if there is no point, or too few samples for the percentile. */
  readonly values: readonly (number | null)[];
  /** Counters only: increase after the last point, which the total of the series includes; absent if there is none. */
  readonly unfinished?: number;
}

export type TrendColumn = "p99" | "p90" | "p50" | "increase" | z.infer<typeof gaugeColumn>;

/** Origin of the values of an answer. */
export interface MetricOrigin {
  readonly metric: MetricName;
  readonly kind: MetricKind;
  readonly unit: MetricUnit;
  readonly resolution: MetricResolution;
  readonly stepMs: number;
  /** End of the newest stored window of any of the series, even outside the range; null if nothing is stored. */
  readonly newestMs: number | null;
  /** Number of stored series behind the answer. */
  readonly sourceSeriesCount: number;
  /** Models of drives whose timing is modelled; empty if all is measured. */
  readonly modelled: readonly string[];
  /** Number of series behind the answer that come from the fleet simulator. */
  readonly simulatedSeriesCount: number;
  readonly gaps: readonly MetricGap[];
  /** For sums, the nodes that do not report while others do; absent if there are none, or few among many. */
  readonly late?: LateNodes;
  /** For sums of gauges, the most incomplete series of the answer; absent if all are complete. */
  readonly partial?: PartialSums;
}

/** Nodes that reported in the range and then stopped. */
export interface LateNodes {
  /** Time of the last report from the node that stopped first. */
  readonly sinceMs: number;
  readonly lateCount: number;
  readonly nodeCount: number;
  /** Some of them, longest silent first. */
  readonly names: readonly string[];
}

/** Points of a sum that lack series with an earlier level, because nodes were silent or reports were lost. */
export interface PartialSums {
  readonly pointCount: number;
  /** Number of series in the point with the fewest, and the number that reported before it. */
  readonly seriesCountMin: number;
  readonly seriesCount: number;
}

export interface MetricAnswer extends MetricOrigin {
  readonly series: readonly MetricSeries[];
  /** Number of groups left out because there were too many. */
  readonly omittedSeriesCount: number;
}

export interface MetricHeatmap extends MetricOrigin {
  readonly endMs: readonly number[];
  /** Row r counts values from `bounds[r]` to `bounds[r + 1]`. */
  readonly bounds: readonly number[];
  /** `counts[column][row]`. */
  readonly counts: readonly (readonly number[])[];
}
