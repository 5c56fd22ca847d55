import type { BenchmarkOperation } from "@stashlight/contracts/benchmark/sample";
import type { ImportedDistribution, ImportedSummary, ImportLimits, ReadRun } from "./imported-run.ts";
import {
  at,
  countOf,
  entriesOf,
  itemsOf,
  type JsonNode,
  numberOf,
  optionalAt,
  parseJson,
  stringOf,
} from "./json-node.ts";
import { RefusedFile } from "./refusal.ts";
import { createRowBudget, type TakeRow } from "./row-budget.ts";

const KIB = 1024;
const NS_PER_MS = 1e6;

const directions = [
  ["read", "READ"],
  ["write", "WRITE"],
  ["sync", "SYNC"],
] as const satisfies readonly (readonly [string, BenchmarkOperation])[];

/** fio may write warnings before its JSON. */
export function isFioJson(text: string): boolean {
  return /^\{/m.test(text) && /"fio version"\s*:/.test(text);
}

/**
 * fio's `--output-format=json` and `json+`. Latencies are nanoseconds, `bw` is KiB/s, and the keys of json+'s bins are
 * their midpoints. What is synced has no direction of its own in the totals: with `fdatasync` the syncs' `total_ios` is
 * 0, so their number is that of their latencies, `sync.lat_ns.N`.
 */
export function readFio(text: string, limits: ImportLimits): ReadRun {
  const root = parseJson(text.slice(/^\{/m.exec(text)?.index), limits);
  const take = createRowBudget(limits.rowsMax);
  const summaries: ImportedSummary[] = [];
  const distributions: ImportedDistribution[] = [];
  const notes: string[] = [];
  const globals = optionalAt(root, "global options");
  for (const job of itemsOf(at(root, "jobs"))) {
    const name = stringOf(at(job, "jobname")).slice(0, 200);
    const error = optionalAt(job, "error");
    if (error !== null && error.value !== 0) notes.push(`Job "${name}" ended with error ${numberOf(error)}.`);
    const options = optionalAt(job, "job options");
    for (const [key, operation] of directions) {
      const part = optionalAt(job, key);
      if (part === null) continue;
      const label = `${name}: ${key}`;
      const sizeBytes = key === "sync" ? null : blockBytes(options, globals, key);
      take({ field: part.path });
      const read = readDirection(part, { label, operation, sizeBytes }, take);
      if (read === null) continue;
      summaries.push(read.summary);
      if (read.distribution !== null) distributions.push(read.distribution);
    }
    if (optionalAt(job, "mixed") !== null) {
      notes.push(`Job "${name}" has reads and writes in one, which are not read.`);
    }
  }
  const started = optionalAt(root, "timestamp_ms");
  return {
    tool: stringOf(at(root, "fio version")).slice(0, 100),
    startedAtMs: started === null ? null : numberOf(started),
    summaries,
    distributions,
    details: optionsOf(globals),
    notes,
  };
}

interface Subject {
  readonly label: string;
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number | null;
}

function readDirection(
  part: JsonNode,
  subject: Subject,
  take: TakeRow,
): { summary: ImportedSummary; distribution: ImportedDistribution | null } | null {
  const isSync = subject.operation === "SYNC";
  const total = at(part, "lat_ns");
  const operationCount = countOf(at(isSync ? total : part, isSync ? "N" : "total_ios"));
  if (operationCount === 0) return null;
  const completion = isSync ? null : optionalAt(part, "clat_ns");
  /** fio keeps percentiles of either the total or, unless told otherwise, the completion latency. */
  const detailed = optionalAt(total, "percentile") === null && completion !== null ? completion : total;
  const percentiles = optionalAt(detailed, "percentile");
  const bins = optionalAt(detailed, "bins");
  // fio writes all four; a run that was exported to its form leaves out what is not known.
  const known = (["mean", "stddev", "min", "max"] as const).flatMap((key) => {
    const node = optionalAt(total, key);
    return node === null ? [] : [[latencyFields[key], numberOf(node) / NS_PER_MS] as const];
  });
  return {
    summary: {
      ...subject,
      operationCount,
      ...Object.fromEntries(known),
      ...(percentiles !== null && { percentilesMs: percentilesOf(percentiles) }),
      ...(!isSync && {
        bytesPerSecond: bytesPerSecond(part),
        operationsPerSecond: numberOf(at(part, "iops")),
      }),
      isApproximate: false,
    },
    distribution: bins === null ? null : { ...subject, of: "operations", bins: binsOf(bins, take) },
  };
}

const latencyFields = { mean: "meanMs", stddev: "sdMs", min: "minMs", max: "maxMs" } as const;

function bytesPerSecond(part: JsonNode): number {
  const exact = optionalAt(part, "bw_bytes");
  return exact === null ? numberOf(at(part, "bw")) * KIB : numberOf(exact);
}

function percentilesOf(node: JsonNode): [number, number][] {
  return entriesOf(node)
    .map(([key, value]): [number, number] => {
      const percent = Number(key);
      if (!(key !== "" && percent >= 0 && percent <= 100)) {
        throw new RefusedFile("bad-value", "It must be a percentage.", { field: value.path });
      }
      return [Math.round(percent * 10_000), numberOf(value) / NS_PER_MS];
    })
    .sort(([a], [b]) => a - b);
}

function binsOf(node: JsonNode, take: TakeRow): [number, number][] {
  return entriesOf(node)
    .map(([key, value]): [number, number] => {
      take({ field: value.path });
      if (!/^\d+$/.test(key)) {
        throw new RefusedFile("bad-value", "A bin's key must be nanoseconds.", { field: value.path });
      }
      return [Number(key) / NS_PER_MS, countOf(value)];
    })
    .sort(([a], [b]) => a - b);
}

const UNITS: Readonly<Record<string, number>> = { "": 1, b: 1, k: KIB, m: KIB ** 2, g: KIB ** 3 };

/** `bs` as "64k" or, for reads and writes, "4k,64k". Null for ranges and what else names no one size. */
function blockBytes(options: JsonNode | null, globals: JsonNode | null, direction: string): number | null {
  const given = (options && optionalAt(options, "bs")) ?? (globals && optionalAt(globals, "bs"));
  if (given === null || given === undefined) return null;
  const [ofRead = "", ofWrite = ofRead] = stringOf(given).toLowerCase().split(",");
  const parts = /^(\d{1,15})([bkmg]?)(?:i?b)?$/.exec((direction === "write" ? ofWrite : ofRead).trim());
  const unit = UNITS[parts?.[2] ?? "?"];
  return parts === null || unit === undefined ? null : Number(parts[1]) * unit;
}

function optionsOf(globals: JsonNode | null): Record<string, string> {
  if (globals === null) return {};
  return Object.fromEntries(
    entriesOf(globals)
      .slice(0, 100)
      .map(([key, value]) => [key.slice(0, 100), stringOf(value).slice(0, 1000)]),
  );
}
