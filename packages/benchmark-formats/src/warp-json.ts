import type { BenchmarkOperation } from "@stashlight/contracts/sample";
import type { ImportedDistribution, ImportedSummary, ImportLimits, ReadRun } from "./imported-run.ts";
import { parseInstant } from "./instant.ts";
import {
  at,
  type JsonNode,
  optionalAt,
  parseJson,
  requireCount,
  requireEntries,
  requireItems,
  requireNumber,
  requireString,
} from "./json-node.ts";
import { RefusedFile } from "./refusal.ts";
import { createOmissions, createRowBudget } from "./row-budget.ts";
import { warpOperations } from "./warp-csv.ts";

export function isWarpJson(text: string): boolean {
  return text.startsWith("{") && /"by_op_type"\s*:/.test(text) && /"v"\s*:/.test(text);
}

/**
 * Reads the figures that `warp` aggregates during a run (version 2). Requests are in segments of some seconds, per
 * client. Averages and percentiles in a segment are sums over `merged_entries` parts, so they are divided by that
 * number; in a file with `dur_sum_millis` they have already been divided. Means over segments are weighted by requests.
 * A mean of percentiles is not a percentile, so everything is marked as approximate. The segments' means are kept too,
 * so that the run can be compared with another run of segments.
 */
export function readWarpJson(text: string, limits: ImportLimits): ReadRun {
  const root = parseJson(text, limits);
  const version = requireCount(at(root, "v"));
  if (version !== 2) {
    throw new RefusedFile("bad-value", `It is ${version}; only version 2 is read.`, { field: "v" });
  }
  const take = createRowBudget(limits.rowsMax);
  const omissions = createOmissions();
  const summaries: ImportedSummary[] = [];
  const distributions: ImportedDistribution[] = [];
  let startedAtMs: number | null = null;
  for (const [name, aggregate] of requireEntries(at(root, "by_op_type"))) {
    const operation = warpOperations.get(name);
    if (operation === undefined) {
      omissions.add(`figures of operation ${name.slice(0, 60)}`);
      continue;
    }
    take({ field: aggregate.path });
    const segments = parseSegments(aggregate);
    summaries.push(parseSummary(aggregate, name, operation, segments));
    if (segments.length > 0) {
      for (const _ of segments) take({ field: aggregate.path });
      distributions.push(toDistribution(segments, name, operation));
    }
    const started = parseInstantOrNull(optionalAt(aggregate, "start_time"));
    if (started !== null) startedAtMs = Math.min(started, startedAtMs ?? started);
  }
  const toolVersion = optionalAt(root, "warp_version");
  const commandLine = optionalAt(root, "commandline");
  const isFinal = optionalAt(root, "final")?.value === true;
  return {
    tool: toolVersion === null ? "warp" : `warp ${requireString(toolVersion)}`,
    startedAtMs,
    summaries,
    distributions,
    details: commandLine === null ? {} : { commandLine: requireString(commandLine) },
    notes: [...omissions.notes(), ...(isFinal ? [] : ["The run was not finished when warp wrote the file."])],
  };
}

function parseInstantOrNull(node: JsonNode | null): number | null {
  if (node === null) return null;
  const instant = parseInstant(requireString(node));
  if (instant === null) throw new RefusedFile("bad-value", "It is not a time.", { field: node.path });
  return instant;
}

function toDistribution(
  segments: readonly Segment[],
  label: string,
  operation: BenchmarkOperation,
): ImportedDistribution {
  const counts = new Map<number, number>();
  for (const { meanMs } of segments) counts.set(meanMs, (counts.get(meanMs) ?? 0) + 1);
  return {
    label,
    of: "segments",
    operation,
    sizeBytes: commonSize(segments),
    bins: [...counts].sort(([a], [b]) => a - b),
  };
}

function parseSummary(
  aggregate: JsonNode,
  label: string,
  operation: BenchmarkOperation,
  segments: readonly Segment[],
): ImportedSummary {
  const throughput = optionalAt(aggregate, "throughput");
  const durationMs = throughput === null ? 0 : requireNumber(at(throughput, "measure_duration_millis"));
  const rate = (key: string): number | undefined =>
    throughput === null || durationMs === 0
      ? undefined
      : (requireNumber(at(throughput, key)) / durationMs) * 1000;
  const bytesPerSecond = rate("bytes");
  const operationsPerSecond = rate("ops");
  return {
    label,
    operation,
    sizeBytes: commonSize(segments),
    operationCount: requireCount(at(aggregate, "total_requests")),
    failureCount: requireCount(at(aggregate, "total_errors")),
    ...(segments.length > 0 && overall(segments)),
    ...(bytesPerSecond !== undefined && { bytesPerSecond }),
    ...(operationsPerSecond !== undefined && { operationsPerSecond }),
    isApproximate: true,
  };
}

interface Segment {
  readonly requestCount: number;
  readonly sizeBytes: number;
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly minMs: number;
  readonly maxMs: number;
}

/** Segments of requests of one size; durations of mixed sizes cannot be compared. */
function parseSegments(aggregate: JsonNode): Segment[] {
  const byClient = optionalAt(aggregate, "requests_by_client");
  return byClient === null ? [] : requireEntries(byClient).flatMap(([, client]) => segmentsOfClient(client));
}

function segmentsOfClient(client: JsonNode): Segment[] {
  return requireItems(client).flatMap((segment) => {
    const single = optionalAt(segment, "single_sized_requests");
    if (single === null || optionalAt(single, "skipped")?.value === true) return [];
    const merged = optionalAt(single, "merged_entries");
    const partCount = merged === null ? 1 : Math.max(1, requireCount(merged));
    const isDivided = optionalAt(single, "dur_sum_millis") !== null;
    const mean = (key: string): number => requireNumber(at(single, key)) / (isDivided ? 1 : partCount);
    return [
      {
        requestCount: requireCount(at(single, "requests")),
        sizeBytes: requireNumber(at(single, "obj_size")) / partCount,
        meanMs: mean("dur_avg_millis"),
        p50Ms: mean("dur_median_millis"),
        p90Ms: mean("dur_90_millis"),
        p99Ms: mean("dur_99_millis"),
        minMs: requireNumber(at(single, "fastest_millis")),
        maxMs: requireNumber(at(single, "slowest_millis")),
      },
    ];
  });
}

function overall(segments: readonly Segment[]): Partial<ImportedSummary> {
  const requestCount = segments.reduce((sum, segment) => sum + segment.requestCount, 0);
  if (requestCount === 0) return {};
  const weighted = (key: "meanMs" | "p50Ms" | "p90Ms" | "p99Ms"): number =>
    segments.reduce((sum, segment) => sum + segment[key] * segment.requestCount, 0) / requestCount;
  return {
    meanMs: weighted("meanMs"),
    minMs: segments.reduce((least, { minMs }) => Math.min(least, minMs), Number.POSITIVE_INFINITY),
    maxMs: segments.reduce((most, { maxMs }) => Math.max(most, maxMs), 0),
    percentilesMs: [
      [500_000, weighted("p50Ms")],
      [900_000, weighted("p90Ms")],
      [990_000, weighted("p99Ms")],
    ],
  };
}

/** Null if segments have different sizes. */
function commonSize(segments: readonly Segment[]): number | null {
  const sizes = segments.map(({ sizeBytes }) => sizeBytes);
  const [first] = sizes;
  return first !== undefined && Number.isInteger(first) && sizes.every((size) => size === first)
    ? first
    : null;
}
