/** Reads latencies of one direction of a fio job: which of fio's three kinds they are, and their unit. */
import { type JsonNode, optionalAt, requireCount, requireEntries, requireNumber } from "./json-node.ts";
import { RefusedFile } from "./refusal.ts";
import type { TakeRow } from "./row-budget.ts";

const NS_PER_MS = 1e6;
const NS_PER_US = 1000;
/** Share of submission in the total latency from which completion latencies alone would be misleadingly short. */
const SUBMISSION_SHARE_MAX = 0.2;

export interface FioLatency {
  /** "total" is from submission to completion (lat); "completion" leaves submission out (clat). */
  readonly of: "total" | "completion";
  readonly figures: Readonly<Partial<Record<"meanMs" | "sdMs" | "minMs" | "maxMs", number>>>;
  readonly percentilesMs: readonly (readonly [perMillion: number, valueMs: number])[] | null;
  readonly bins: readonly (readonly [midpointMs: number, count: number])[] | null;
  /**
   * True if fio's percentiles and bins, which cover only completion, are left out because submission takes part of the
   * time.
   */
  readonly leavesOutCompletion: boolean;
}

interface Kinds {
  readonly total: JsonNode;
  readonly completion: JsonNode | null;
  readonly submission: JsonNode | null;
  /** Nanoseconds per unit. */
  readonly unitNs: number;
}

/**
 * Version 3 and later write nanoseconds under names that end in _ns; version 2 writes microseconds without the suffix.
 */
function latencyKinds(part: JsonNode): Kinds | null {
  for (const [suffix, unitNs] of [
    ["_ns", 1],
    ["", NS_PER_US],
  ] as const) {
    const total = optionalAt(part, `lat${suffix}`);
    if (total === null) continue;
    const [completion, submission] = [optionalAt(part, `clat${suffix}`), optionalAt(part, `slat${suffix}`)];
    return { total, completion, submission, unitNs };
  }
  return null;
}

/** Number of latencies behind the totals of a direction; null if fio wrote none. */
export function fioLatencyCount(part: JsonNode): number | null {
  const count = optionalAt(latencyKinds(part)?.total ?? part, "N");
  return count === null ? null : requireCount(count);
}

/**
 * Returns figures of a single kind, so that a mean is never shown beside percentiles of another. Null if fio measured
 * none, as with `gtod_reduce=1` or if no operation succeeded.
 */
export function readFioLatency(part: JsonNode, take: TakeRow): FioLatency | null {
  const kinds = latencyKinds(part);
  if (kinds === null || !isMeasured(kinds.total)) return null;
  const { total, completion, unitNs } = kinds;
  const keepsCompletion =
    optionalAt(total, "percentile") === null && completion !== null && isMeasured(completion);
  const leavesOutCompletion =
    keepsCompletion &&
    optionalAt(completion, "percentile") !== null &&
    submissionShare(kinds) > SUBMISSION_SHARE_MAX;
  const detailed = keepsCompletion && !leavesOutCompletion ? completion : total;
  const percentiles = optionalAt(detailed, "percentile");
  const bins = optionalAt(detailed, "bins");
  return {
    of: detailed === total ? "total" : "completion",
    figures: latencyFigures(detailed, unitNs),
    percentilesMs: percentiles === null ? null : parsePercentiles(percentiles, unitNs),
    bins: bins === null ? null : parseBins(bins, unitNs, take),
    leavesOutCompletion,
  };
}

/** An exported run leaves out the number of samples; fio writes 0 and a mean of 0 if nothing was measured. */
function isMeasured(latency: JsonNode): boolean {
  const max = optionalAt(latency, "max");
  const mean = optionalAt(latency, "mean");
  return (max !== null && requireNumber(max) > 0) || (mean !== null && requireNumber(mean) > 0);
}

function submissionShare({ total, submission }: Kinds): number {
  const [whole, part] = [total, submission].map((node) => (node === null ? null : optionalAt(node, "mean")));
  if (!whole || !part) return 0;
  return requireNumber(whole) === 0 ? 0 : requireNumber(part) / requireNumber(whole);
}

const latencyFields = { mean: "meanMs", stddev: "sdMs", min: "minMs", max: "maxMs" } as const;

/** fio writes all four; a run that was exported to its format leaves out what is not known. */
function latencyFigures(latency: JsonNode, unitNs: number): FioLatency["figures"] {
  const known = (["mean", "stddev", "min", "max"] as const).flatMap((key) => {
    const node = optionalAt(latency, key);
    return node === null ? [] : [[latencyFields[key], (requireNumber(node) * unitNs) / NS_PER_MS] as const];
  });
  return Object.fromEntries(known);
}

function parsePercentiles(node: JsonNode, unitNs: number): [number, number][] {
  return requireEntries(node)
    .map(([key, value]): [number, number] => {
      const percent = Number(key);
      if (!(key !== "" && percent >= 0 && percent <= 100)) {
        throw new RefusedFile("bad-value", "It must be a percentage.", { field: value.path });
      }
      return [Math.round(percent * 10_000), (requireNumber(value) * unitNs) / NS_PER_MS];
    })
    .sort(([a], [b]) => a - b);
}

function parseBins(node: JsonNode, unitNs: number, take: TakeRow): [number, number][] {
  return requireEntries(node)
    .map(([key, value]): [number, number] => {
      take({ field: value.path });
      if (!/^\d+$/.test(key)) {
        throw new RefusedFile("bad-value", "A bin's key must be a whole number.", { field: value.path });
      }
      return [(Number(key) * unitNs) / NS_PER_MS, requireCount(value)];
    })
    .sort(([a], [b]) => a - b);
}
