/** Converts bins of measurements to the figures of a result. */

import type { LagFigures, LatencyFigures } from "@stashlight/contracts/planner";
import { quantileOfSorted } from "@stashlight/stats/rank";
import { type Bin, lagQuantileSeconds } from "./meter.ts";

export function pathLatency(bins: readonly Bin[], path: "stashUs" | "directUs"): LatencyFigures | null {
  const sampleCount = bins.reduce((sum, bin) => sum + bin[path].length, 0);
  if (sampleCount === 0) return null;
  const sorted = new Float64Array(sampleCount);
  let at = 0;
  for (const bin of bins) for (const us of bin[path]) sorted[at++] = us;
  sorted.sort();
  const ms = (perMillion: number) => quantileOfSorted(sorted, perMillion) / 1000;
  return { sampleCount, p50Ms: ms(500_000), p90Ms: ms(900_000), p99Ms: ms(990_000) };
}

export function summariseLag(bins: readonly Bin[]): LagFigures | null {
  const [first] = bins;
  const sampleCount = bins.reduce((sum, bin) => sum + bin.lagCount, 0);
  if (first === undefined || sampleCount === 0) return null;
  const counts = new Uint32Array(first.lagCounts.length);
  for (const bin of bins)
    for (let i = 0; i < counts.length; i += 1)
      counts[i] = (counts[i] as number) + (bin.lagCounts[i] as number);
  return {
    sampleCount,
    meanSeconds: bins.reduce((sum, bin) => sum + bin.lagUsSum, 0) / sampleCount / 1e6,
    p50Seconds: lagQuantileSeconds(counts, 500_000) as number,
    p99Seconds: lagQuantileSeconds(counts, 990_000) as number,
  };
}

export function sumBins(bins: readonly Bin[], of: (bin: Bin) => number): number {
  return bins.reduce((sum, bin) => sum + of(bin), 0);
}

export function meanOccupancyBytes(bins: readonly Bin[]): number {
  const measuredUs = sumBins(bins, (bin) => bin.measuredUs);
  return measuredUs === 0 ? 0 : sumBins(bins, (bin) => bin.occupancyByteUs) / measuredUs;
}

export function highestOccupancyBytes(bins: readonly Bin[]): number {
  return bins.reduce((most, bin) => Math.max(most, bin.occupancyBytesMax), 0);
}
