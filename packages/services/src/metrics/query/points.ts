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
  /** Middle of the newest raw window with a value, or end of the newest bucket if that is later; -Infinity without any. */
  readonly newestMs: number;
  readonly summary?: HistogramSummary;
  readonly trend?: MetricTrend;
  /** Gaps in gauges that are added up. */
  readonly partial?: PartialSums | null;
}

/** A point of a histogram with its values. */
export interface SummaryPoint {
  readonly fromMs: number;
  readonly toMs: number;
  readonly histogram: ExponentialHistogram;
}

/** Columns from one index up to another. */
export function sliceColumns(columns: MetricColumns, from: number, to?: number): MetricColumns {
  const cut = <Value>(values: readonly Value[]): readonly Value[] => values.slice(from, to);
  if (columns.kind === "counter") return { kind: "counter", increase: cut(columns.increase) };
  const { min, max } = columns;
  const shared = { min: cut(min), max: cut(max) };
  if (columns.kind === "gauge") {
    return { kind: "gauge", ...shared, avg: cut(columns.avg), last: cut(columns.last) };
  }
  const { n, sum: sums, p50, p90, p99, p999 } = columns;
  const percentiles = { p50: cut(p50), p90: cut(p90), p99: cut(p99), p999: cut(p999) };
  return { kind: "histogram", n: cut(n), sum: cut(sums), ...shared, ...percentiles };
}

export const binAt = ({ startMs, stepMs }: Bins, atMs: number): number =>
  Math.ceil((atMs - startMs) / stepMs) - 1;
export const binEndMs = ({ startMs, stepMs }: Bins, bin: number): number => startMs + (bin + 1) * stepMs;
export const binRange = (bins: Bins, bin: number): { fromMs: number; toMs: number } => ({
  fromMs: binEndMs(bins, bin) - bins.stepMs,
  toMs: binEndMs(bins, bin),
});
