/**
 * Merges packed windows and samples into the points of an answer. Pure, and the only work for an answer apart from its
 * query, so that it can run on a separate thread.
 */
import { unpackHistograms } from "@stashlight/db/metrics";
import { HistogramSum } from "@stashlight/telemetry";
import { present } from "../../present.ts";
import { histogramColumns } from "./histogram-columns.ts";
import { mergeSamples, type SampleJob } from "./merge-samples.ts";
import { type Bins, binAt, binEndMs, binRange, type MergedSeries } from "./points.ts";
import { summarisePoints } from "./summary.ts";
import { trendOfHistograms } from "./trend.ts";

export interface HistogramJob extends Bins {
  readonly kind: "histogram" | "heatmap";
  /** The packed windows of each series, group by group. */
  readonly groups: readonly (readonly string[])[];
  readonly summarise?: boolean;
  readonly findsChanges?: boolean;
  /** Added to the summary; if absent there is no trend. */
  readonly trendStepMs?: number;
}

export type MergeJob = HistogramJob | SampleJob;

export interface MergedHeatmap {
  readonly endMs: readonly number[];
  /** By point: indexes of buckets with their number of values; the zero bucket's index is null. */
  readonly buckets: readonly (readonly (readonly [index: number | null, count: number])[])[];
}

export interface Merged {
  readonly series: readonly MergedSeries[];
  readonly heatmap: MergedHeatmap | null;
}

/** Length of a job's input in characters. */
export const jobBytes = (job: MergeJob): number => {
  const texts = "sources" in job ? job.sources.map(({ packed }) => packed) : job.groups.flat();
  return texts.reduce((sum, { length }) => sum + length, 0);
};

export function merge(job: MergeJob): Merged {
  if ("sources" in job) return { series: mergeSamples(job), heatmap: null };
  const sums: HistogramSum[] = [];
  if (job.kind === "heatmap") return { series: [], heatmap: mergeHeatmap(job, sums) };
  return { series: job.groups.map((packed) => histogramSeries(job, packed, sums)), heatmap: null };
}

/** Adds each window to the sum of its point. The sums are cleared here and reused for the next group. */
function addUp(
  bins: Bins,
  packed: readonly string[],
  sums: HistogramSum[],
): { readonly filled: number[]; readonly newestMs: number } {
  let newestMs = Number.NEGATIVE_INFINITY;
  for (const sum of sums) if (sum.count > 0) sum.clear();
  for (const hex of packed) {
    const bytes = Buffer.from(hex, "hex");
    for (const window of unpackHistograms(bytes)) {
      const bin = binAt(bins, window.atMs);
      if (window.count > 0) newestMs = Math.max(newestMs, window.atMs);
      while (sums.length <= bin) sums.push(new HistogramSum());
      sums[bin]?.add(window, bytes, window.bucketsStart, window.bucketsEnd);
    }
  }
  const filled = sums.flatMap(({ count }, bin) => (count > 0 && bin < bins.pointCount ? [bin] : []));
  return { filled, newestMs };
}

function histogramSeries(bins: HistogramJob, packed: readonly string[], sums: HistogramSum[]): MergedSeries {
  const { filled, newestMs } = addUp(bins, packed, sums);
  const histograms = filled.map((bin) => present(sums[bin]).histogram());
  const points = filled.map((bin, i) => ({ ...binRange(bins, bin), histogram: present(histograms[i]) }));
  const { summarise = false, findsChanges, trendStepMs } = bins;
  const endMs = filled.map((bin) => binEndMs(bins, bin));
  if (!summarise || histograms.length === 0)
    return { endMs, newestMs, columns: histogramColumns(histograms) };
  return {
    endMs,
    newestMs,
    columns: histogramColumns([]),
    summary: summarisePoints(points, findsChanges),
    ...(trendStepMs === undefined ? {} : { trend: trendOfHistograms(points, trendStepMs) }),
  };
}

function mergeHeatmap(job: HistogramJob, sums: HistogramSum[]): MergedHeatmap {
  const { filled } = addUp(job, job.groups.flat(), sums);
  return {
    endMs: filled.map((bin) => binEndMs(job, bin)),
    buckets: filled.map((bin) => {
      const { zeroCount, buckets } = present(sums[bin]).content();
      return zeroCount > 0 ? [[null, zeroCount], ...buckets] : buckets;
    }),
  };
}
