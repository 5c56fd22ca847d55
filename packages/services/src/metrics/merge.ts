/**
 * Packed windows and samples into the points of an answer. Pure, and all an answer costs beside its query, so that it
 * can run on a thread of its own.
 */
import type { MetricColumns, MetricQuery } from "@stashlight/contracts";
import { unpackHistograms, unpackSamples } from "@stashlight/db/metrics";
import { HistogramSum, samplesNeeded } from "@stashlight/telemetry";

/** Points end at `startMs + stepMs`, `startMs + 2 stepMs` and so on. */
export interface Bins {
  readonly startMs: number;
  readonly stepMs: number;
  readonly pointCount: number;
}

export interface HistogramJob extends Bins {
  readonly kind: "histogram" | "heatmap";
  /** The packed windows of each series, group by group. */
  readonly groups: readonly (readonly string[])[];
}

export interface SampleJob extends Bins {
  readonly kind: "gauge" | "counter";
  readonly across: MetricQuery["across"];
  /** Packed samples, and of which series each of their places is. */
  readonly sources: readonly { readonly packed: string; readonly series: readonly number[] }[];
  /** The series of each group. */
  readonly groups: readonly (readonly number[])[];
}

export type MergeJob = HistogramJob | SampleJob;

export interface MergedSeries {
  readonly endMs: readonly number[];
  readonly columns: MetricColumns;
}

export interface MergedHeatmap {
  readonly endMs: readonly number[];
  /** By point: indexes of buckets and how many values they hold; the zero bucket's index is null. */
  readonly buckets: readonly (readonly (readonly [index: number | null, count: number])[])[];
}

export interface Merged {
  readonly series: readonly MergedSeries[];
  readonly heatmap: MergedHeatmap | null;
}

/** How long a job's input is, in characters. */
export const sizeOf = (job: MergeJob): number => {
  const texts = "sources" in job ? job.sources.map(({ packed }) => packed) : job.groups.flat();
  return texts.reduce((sum, { length }) => sum + length, 0);
};

export function merge(job: MergeJob): Merged {
  if ("sources" in job) return { series: mergeSamples(job), heatmap: null };
  const sums: HistogramSum[] = [];
  if (job.kind === "heatmap") return { series: [], heatmap: heatmapOf(job, sums) };
  return { series: job.groups.map((packed) => histogramSeries(job, packed, sums)), heatmap: null };
}

const binOf = ({ startMs, stepMs }: Bins, atMs: number): number => Math.ceil((atMs - startMs) / stepMs) - 1;
const endOf = ({ startMs, stepMs }: Bins, bin: number): number => startMs + (bin + 1) * stepMs;

/** Adds each window to the sum of its point. The sums are used again for the next group, and cleared here. */
function addUp(bins: Bins, packed: readonly string[], sums: HistogramSum[]): number[] {
  for (const sum of sums) if (sum.count > 0) sum.clear();
  for (const hex of packed) {
    const bytes = Buffer.from(hex, "hex");
    for (const window of unpackHistograms(bytes)) {
      const bin = binOf(bins, window.atMs);
      while (sums.length <= bin) sums.push(new HistogramSum());
      sums[bin]?.add(window, bytes, window.bucketsStart, window.bucketsEnd);
    }
  }
  return sums.flatMap(({ count }, bin) => (count > 0 && bin < bins.pointCount ? [bin] : []));
}

const QUANTILES = { p50: 500_000, p90: 900_000, p99: 990_000, p999: 999_000 } as const;

function histogramSeries(bins: Bins, packed: readonly string[], sums: HistogramSum[]): MergedSeries {
  const filled = addUp(bins, packed, sums);
  const histograms = filled.map((bin) => (sums[bin] as HistogramSum).histogram());
  const quantile = (perMillion: number): (number | null)[] =>
    histograms.map((each) => (each.count >= samplesNeeded(perMillion) ? each.quantile(perMillion) : null));
  return {
    endMs: filled.map((bin) => endOf(bins, bin)),
    columns: {
      kind: "histogram",
      n: histograms.map(({ count }) => count),
      sum: histograms.map(({ sum }) => sum),
      min: histograms.map(({ min }) => min as number),
      max: histograms.map(({ max }) => max as number),
      p50: quantile(QUANTILES.p50),
      p90: quantile(QUANTILES.p90),
      p99: quantile(QUANTILES.p99),
      p999: quantile(QUANTILES.p999),
    },
  };
}

function heatmapOf(job: HistogramJob, sums: HistogramSum[]): MergedHeatmap {
  const filled = addUp(job, job.groups.flat(), sums);
  return {
    endMs: filled.map((bin) => endOf(job, bin)),
    buckets: filled.map((bin) => {
      const { zeroCount, buckets } = (sums[bin] as HistogramSum).content();
      return zeroCount > 0 ? [[null, zeroCount], ...buckets] : buckets;
    }),
  };
}

interface SeriesBins {
  readonly count: Float64Array;
  readonly sum: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly last: Float64Array;
  readonly lastMs: Float64Array;
}

function mergeSamples(job: SampleJob): MergedSeries[] {
  const bySeries = new Map<number, SeriesBins>();
  for (const { packed, series } of job.sources) {
    for (const sample of unpackSamples(Buffer.from(packed, "hex"), series.length)) {
      const bin = binOf(job, sample.atMs);
      const of = series[sample.place] as number;
      const bins = bySeries.get(of) ?? emptyBins(job.pointCount);
      bySeries.set(of, bins);
      (bins.count[bin] as number) += sample.count;
      (bins.sum[bin] as number) += sample.sum;
      bins.min[bin] = Math.min(bins.min[bin] as number, sample.min);
      bins.max[bin] = Math.max(bins.max[bin] as number, sample.max);
      if (sample.atMs >= (bins.lastMs[bin] as number)) {
        bins.lastMs[bin] = sample.atMs;
        bins.last[bin] = sample.last;
      }
    }
  }
  const ofGroup = (group: readonly number[]): SeriesBins[] =>
    group.flatMap((series) => bySeries.get(series) ?? []);
  return job.groups.map((group) =>
    job.kind === "counter" ? counterSeries(job, ofGroup(group)) : gaugeSeries(job, ofGroup(group)),
  );
}

const emptyBins = (pointCount: number): SeriesBins => ({
  count: new Float64Array(pointCount),
  sum: new Float64Array(pointCount),
  min: new Float64Array(pointCount).fill(Number.POSITIVE_INFINITY),
  max: new Float64Array(pointCount).fill(Number.NEGATIVE_INFINITY),
  last: new Float64Array(pointCount),
  lastMs: new Float64Array(pointCount),
});

function counterSeries(bins: Bins, series: readonly SeriesBins[]): MergedSeries {
  const endMs: number[] = [];
  const increase: number[] = [];
  for (let bin = 0; bin < bins.pointCount; bin += 1) {
    if (!series.some(({ count }) => (count[bin] as number) > 0)) continue;
    endMs.push(endOf(bins, bin));
    increase.push(series.reduce((total, { sum }) => total + (sum[bin] as number), 0));
  }
  return { endMs, columns: { kind: "counter", increase } };
}

interface Level {
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  readonly last: number;
}

function levelOf({ count, sum, min, max, last }: SeriesBins, bin: number): Level | null {
  if (!((count[bin] as number) > 0)) return null;
  return {
    min: min[bin] as number,
    max: max[bin] as number,
    avg: (sum[bin] as number) / (count[bin] as number),
    last: last[bin] as number,
  };
}

/** The level that a series ended the point before with. */
function heldLevelOf(series: SeriesBins, bin: number): Level | null {
  const before = bin === 0 ? null : levelOf(series, bin - 1);
  return before === null ? null : { min: before.last, max: before.last, avg: before.last, last: before.last };
}

const acrossSeries: Record<MetricQuery["across"], (values: readonly number[]) => number> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  avg: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
};

/**
 * Nodes do not report at the same moment, so the newest point has some of them and not yet others, and a sum of those
 * that are there would fall. A series of several is held at its last level for one point; longer ones are missing.
 */
function gaugeSeries(job: SampleJob, series: readonly SeriesBins[]): MergedSeries {
  const endMs: number[] = [];
  const columns = { min: [] as number[], max: [] as number[], avg: [] as number[], last: [] as number[] };
  const combine = acrossSeries[job.across];
  for (let bin = 0; bin < job.pointCount; bin += 1) {
    const own = series.map((each) => levelOf(each, bin));
    if (own.every((level) => level === null)) continue;
    const levels = own.flatMap((level, i) => level ?? heldLevelOf(series[i] as SeriesBins, bin) ?? []);
    endMs.push(endOf(job, bin));
    columns.min.push(combine(levels.map(({ min }) => min)));
    columns.max.push(combine(levels.map(({ max }) => max)));
    columns.avg.push(combine(levels.map(({ avg }) => avg)));
    columns.last.push(combine(levels.map(({ last }) => last)));
  }
  return { endMs, columns: { kind: "gauge", ...columns } };
}
