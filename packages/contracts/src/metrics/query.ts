/**
 * Queries of charts to the metric store, and their answers. An answer states its origin: the resolution it was
 * read in, how new the newest window is, what is missing and why, and whether a value is modelled or simulated.
 */

import { z } from "zod";
import { DAY_MS } from "../time/duration.ts";
import { vaultCountMax } from "../vault/vault.ts";
import {
  type MetricDefinition,
  type MetricKind,
  type MetricLabel,
  type MetricName,
  type MetricUnit,
  metricCatalogue,
} from "./index.ts";

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

/** Longer ranges are asked for in parts; two years is what the store keeps. */
const RANGE_MS_MAX = 750 * DAY_MS;

const range = {
  metric: metricName,
  fromMs: z.int().min(0),
  toMs: z.int().min(0),
  /** Absent: every node. */
  nodeIds: z.array(z.uuid()).min(1).max(10_000).optional(),
  /** Only series whose label has one of these values. */
  where: z.partialRecord(seriesLabel, z.array(z.string().max(200)).min(1).max(vaultCountMax)).default({}),
};

const gaugeColumn = z.enum(["min", "max", "avg", "last"]).default("max");

const isRange = ({ fromMs, toMs }: { fromMs: number; toMs: number }): boolean =>
  toMs > fromMs && toMs - fromMs <= RANGE_MS_MAX;
const rangeMessage = "A range ends after it begins and is at most 750 days long.";

export const metricQueryInput = z
  .object({
    ...range,
    /** One series for each set of values of these labels; all others are merged. */
    groupBy: z.array(seriesLabel).max(4).default([]),
    /** Aggregation of the gauges of one group. Counters are added, histograms merged. */
    across: z.enum(["sum", "avg", "min", "max"]).default("sum"),
    pointCountMax: z.int().min(5).max(2000).default(400),
    /**
     * Returns values for tiles and tables instead of points: the summary of a histogram, the newest point of a gauge,
     * one point with the whole increase of a counter.
     */
    summarise: z.boolean().optional(),
    /** With the summary, where the level of each series changed last. */
    findsChanges: z.boolean().optional(),
    /** With the summary, the range in at most `pointCountMax` points, for a line that is too small for axes. */
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

/** The values of one label of a metric, in the order of their names. */
export interface LabelValues {
  readonly values: readonly string[];
  /** Values that were left out because there were too many. */
  readonly omittedCount: number;
}

/** Labels that distinguish the stored series of a metric; a label that no series has is absent. */
export interface MetricLabelsAnswer {
  readonly seriesCount: number;
  readonly labels: Readonly<Partial<Record<SeriesLabel, LabelValues>>>;
}

export type MetricResolution = "raw" | "1m" | "10m" | "1h";

/** A time of a node of which nothing will come any more. */
export interface MetricGap {
  readonly nodeId: string;
  readonly nodeName: string;
  readonly startMs: number;
  readonly endMs: number;
  /** As the agent gave it; telemetry's gap.ts lists them. */
  readonly reason: string;
}

/** Columns of equal length, a place for each point. */
export type MetricColumns =
  | {
      readonly kind: "histogram";
      /** Never zero: a window without a value has no point. */
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

/** Several windows of a histogram as one. */
export interface MergedWindows {
  /** From the start of the first window to the end of the last that hold a value. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly n: number;
  readonly max: number;
  /** Null with too few values, as in a point. */
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
}

export interface HistogramSummary {
  readonly whole: MergedWindows;
  /** The newest points that together hold enough values for a p99; all points if those are too few. */
  readonly newest: MergedWindows;
  /** The last change of its level in the range; null where there is none, or too few points. Only if asked for. */
  readonly change?: LevelChange | null;
}

/** Medians of points' medians, or of their means where points hold too few values. */
export interface LevelChange {
  /** Start of the first point of the present level. */
  readonly sinceMs: number;
  readonly before: number;
  readonly after: number;
}

export interface MetricSeries {
  readonly labels: Readonly<Partial<Record<SeriesLabel, string>>>;
  /** Point i covers the time from `endMs[i] - stepMs` to `endMs[i]`. Times without a point are gaps, never zeros. */
  readonly endMs: readonly number[];
  readonly columns: MetricColumns;
  /** For histograms, when it was asked for; there are no points then. */
  readonly summary?: HistogramSummary;
  /** Only if asked for, and not while there is no whole point. */
  readonly trend?: MetricTrend;
}

/**
 * A summarised range in a few points, each of whole windows that have all been reported: one statistic, to four digits,
 * because a page asks for dozens of these and draws one of them.
 */
export interface MetricTrend {
  /**
   * A histogram's is the highest percentile that at least half of the points have samples for, or else "max"; a gauge's
   * is what was asked for.
   */
  readonly column: TrendColumn;
  readonly stepMs: number;
  /** Point i covers the `stepMs` up to `firstEndMs + i * stepMs`. */
  readonly firstEndMs: number;
  /** Null where there is no point, or too few samples for the percentile. */
  readonly values: readonly (number | null)[];
}

export type TrendColumn = "p99" | "p90" | "p50" | "increase" | z.infer<typeof gaugeColumn>;

/** Origin of the values of an answer. */
export interface MetricOrigin {
  readonly metric: MetricName;
  readonly kind: MetricKind;
  readonly unit: MetricUnit;
  readonly resolution: MetricResolution;
  readonly stepMs: number;
  /** End of the newest window that is stored of any of the series, whatever the range; null while there is none. */
  readonly newestMs: number | null;
  /** Series of the store behind the answer. */
  readonly sourceSeriesCount: number;
  /** Models of drives whose timing is modelled; empty when all is measured. */
  readonly modelled: readonly string[];
  /** The number of series behind it that the fleet simulator made. */
  readonly simulatedSeriesCount: number;
  readonly gaps: readonly MetricGap[];
  /** For what is added up, the nodes that do not report while others do; absent where they are none, or few of many. */
  readonly late?: LateNodes;
  /** For gauges that are added up, the series of the answer that lacks the most; absent when none lacks any. */
  readonly partial?: PartialSums;
}

/** Nodes that reported in the range, and then no more. */
export interface LateNodes {
  /** When the first of them reported last. */
  readonly sinceMs: number;
  readonly lateCount: number;
  readonly nodeCount: number;
  /** A few of them, the longest silent first. */
  readonly names: readonly string[];
}

/** Points of a sum that lack series with an earlier level: their nodes were silent, or their reports are lost. */
export interface PartialSums {
  readonly pointCount: number;
  /** Series count of the point with the fewest, and the count that reported before it. */
  readonly seriesCountMin: number;
  readonly seriesCount: number;
}

export interface MetricAnswer extends MetricOrigin {
  readonly series: readonly MetricSeries[];
  /** Groups that were left out because there were too many. */
  readonly omittedSeriesCount: number;
}

export interface MetricHeatmap extends MetricOrigin {
  readonly endMs: readonly number[];
  /** Row r counts values from `bounds[r]` to `bounds[r + 1]`. */
  readonly bounds: readonly number[];
  /** `counts[column][row]`. */
  readonly counts: readonly (readonly number[])[];
}
