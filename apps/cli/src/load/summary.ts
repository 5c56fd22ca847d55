import { computePercentiles } from "../percentiles.ts";
import { counted, formatCount, formatMs, formatShare, formatSize } from "../units.ts";
import type { LoadStats } from "./writers.ts";

export interface LoadFrame {
  readonly sizeBytes: number;
  readonly concurrency: number;
  readonly elapsedMs: number;
}

export function progressLine(stats: LoadStats, elapsedMs: number): string {
  const latency = computePercentiles(stats.durationsMs);
  const errorCount = sumCounts(stats.errors);
  const latencyText =
    latency === null ? "no upload yet" : `p50 ${formatMs(latency.p50)}  p99 ${formatMs(latency.p99)}`;
  return [
    `${(elapsedMs / 1000).toFixed(0)} s`,
    ...rateLines(stats, elapsedMs),
    latencyText,
    counted(errorCount, "error"),
  ].join("  ");
}

export function summaryLines(stats: LoadStats, { sizeBytes, concurrency, elapsedMs }: LoadFrame): string[] {
  const latency = computePercentiles(stats.durationsMs);
  const what = `${counted(stats.durationsMs.length, "upload")} of ${formatSize(sizeBytes)}`;
  const heading = `${what} in ${(elapsedMs / 1000).toFixed(1)} s, ${concurrency} at a time`;
  if (latency === null) return [`${heading}.`, ...countLines("errors", stats.errors, false)];
  const { sampleCount, p50, p90, p99, max } = latency;
  const latencies = Object.entries({ p50, p90, p99, max }).map(([name, ms]) => `${name} ${formatMs(ms)}`);
  return [
    `${heading}: ${rateLines(stats, elapsedMs).join(", ")}.`,
    `  latency  ${latencies.join("  ")}  (n = ${formatCount(sampleCount)})`,
    ...countLines("path", stats.paths, true),
    ...countLines("errors", stats.errors, false),
  ];
}

function rateLines({ durationsMs, bytesWritten }: LoadStats, elapsedMs: number): string[] {
  const seconds = Math.max(elapsedMs, 1) / 1000;
  return [
    `${(durationsMs.length / seconds).toFixed(1)} uploads/s`,
    `${(bytesWritten.total / seconds / 1e6).toFixed(1)} MB/s`,
  ];
}

/** Most frequent first. */
function countLines(title: string, counts: ReadonlyMap<string, number>, withShares: boolean): string[] {
  if (counts.size === 0) return [];
  const total = sumCounts(counts);
  const parts = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) =>
      withShares
        ? `${name} ${formatShare(count / total)} (${formatCount(count)})`
        : `${name} ${formatCount(count)}`,
    );
  return [`  ${title.padEnd(7)}  ${parts.join("  ")}`];
}

function sumCounts(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
