/** The points of an answer. */
import type {
  HistogramSummary,
  MetricColumns,
  MetricTrend,
  PartialSums,
} from "@stashlight/contracts/metrics/query";
import type { ExponentialHistogram } from "@stashlight/telemetry";

/** Points end at `startMs + stepMs`, `startMs + 2 stepMs` and so on. */
export interface Bins {
  readonly startMs: number;
  readonly stepMs: number;
  readonly pointCount: number;
}

export interface MergedSeries {
  readonly endMs: readonly number[];
  readonly columns: MetricColumns;
  readonly summary?: HistogramSummary;
  readonly trend?: MetricTrend;
  /** What gauges that are added up lack. */
  readonly partial?: PartialSums | null;
}

/** A point of a histogram with its values. */
export interface SummaryPoint {
  readonly fromMs: number;
  readonly toMs: number;
  readonly histogram: ExponentialHistogram;
}

export const binOf = ({ startMs, stepMs }: Bins, atMs: number): number =>
  Math.ceil((atMs - startMs) / stepMs) - 1;
export const endOf = ({ startMs, stepMs }: Bins, bin: number): number => startMs + (bin + 1) * stepMs;
export const rangeOf = (bins: Bins, bin: number): { fromMs: number; toMs: number } => ({
  fromMs: endOf(bins, bin) - bins.stepMs,
  toMs: endOf(bins, bin),
});
