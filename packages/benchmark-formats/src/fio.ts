import { getSystemErrorName } from "node:util";
import type { BenchmarkOperation } from "@stashlight/contracts/sample";
import { fioDocuments } from "./fio-documents.ts";
import { type FioLatency, fioLatencyCount, readFioLatency } from "./fio-latency.ts";
import type { ImportedDistribution, ImportedSummary, ImportLimits, ReadRun } from "./imported-run.ts";
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
import { RefusedFile, shortened } from "./refusal.ts";
import { createRowBudget, type TakeRow } from "./row-budget.ts";

const KIB = 1024;

const directions = [
  ["read", "READ"],
  ["write", "WRITE"],
  ["sync", "SYNC"],
] as const satisfies readonly (readonly [string, BenchmarkOperation])[];

/** True for fio's JSON, possibly preceded by warnings. */
export function isFioJson(text: string): boolean {
  return /^\{/m.test(text) && /"fio version"\s*:/.test(text);
}

/**
 * Reads fio's `--output-format=json` and `json+`, with the text that `normal` prints around it, and the output of
 * `--client`. Versions from 3 on write latencies in nanoseconds, version 2 in microseconds; `bw` is KiB/s, and the keys
 * of json+'s bins are their midpoints. The totals have no direction for syncs: with `fdatasync` the syncs' `total_ios`
 * is 0, so their number is taken from their latencies, `sync.lat_ns.N`.
 */
export function readFio(text: string, limits: ImportLimits): ReadRun {
  const documents = fioDocuments(text);
  const root = parseJson(text, limits, documents.at(-1) ?? text);
  const reading: Reading = {
    summaries: [],
    distributions: [],
    notes: [],
    kinds: new Set(),
    isMixed: false,
    globals: optionalAt(root, "global options"),
    take: createRowBudget(limits.rowsMax),
  };
  if (documents.length > 1) {
    reading.notes.push(
      `The file holds ${documents.length} documents, as with --status-interval; the last one, which is of the whole run, is read.`,
    );
  }
  for (const job of parseJobs(root)) readJob(job, reading);
  const { summaries, distributions, notes, kinds, isMixed, globals } = reading;
  if (summaries.length === 0 && isMixed) {
    throw new RefusedFile(
      "nothing-in-it",
      "All jobs report reads and writes together (unified_rw_reporting=1), so their latencies cannot be separated. Run fio again without that option.",
    );
  }
  if (kinds.size > 0) notes.push(...[...kinds].map((kind) => latencyNotes[kind]));
  const started = optionalAt(root, "timestamp_ms");
  return {
    tool: requireString(at(root, "fio version")).slice(0, 100),
    startedAtMs: started === null ? null : requireNumber(started),
    summaries,
    distributions,
    details: jobOptions(globals),
    notes,
  };
}

const latencyNotes: Readonly<Record<FioLatency["of"], string>> = {
  completion: "Latencies are of completion (clat), without the time of submission.",
  total: "Latencies are from submission to completion (lat).",
};

interface Reading {
  readonly summaries: ImportedSummary[];
  readonly distributions: ImportedDistribution[];
  readonly notes: string[];
  /** Kinds of latencies of reads and writes; syncs have only one kind. */
  readonly kinds: Set<FioLatency["of"]>;
  isMixed: boolean;
  readonly globals: JsonNode | null;
  readonly take: TakeRow;
}

/** With `--client` each host has its jobs, and "All clients" adds them up again. */
function parseJobs(root: JsonNode): JsonNode[] {
  const ofClients = optionalAt(root, "client_stats");
  if (ofClients === null) return requireItems(at(root, "jobs"));
  return requireItems(ofClients).filter((job) => at(job, "jobname").value !== "All clients");
}

function readJob(job: JsonNode, reading: Reading): void {
  const { summaries, distributions, notes, kinds, globals, take } = reading;
  const host = optionalAt(job, "hostname");
  const jobName = requireString(at(job, "jobname")).slice(0, 200);
  const name = host === null ? jobName : `${requireString(host).slice(0, 200)}: ${jobName}`;
  const error = jobError(job);
  if (error !== null) notes.push(`Job "${name}" ended with error ${error}.`);
  const options = optionalAt(job, "job options");
  const rate = findRate(options, globals);
  if (rate !== null) {
    notes.push(
      `Job "${name}" had a rate (${rate}): fio counts latency from when a request was issued, not from when it was due, so that waits behind a stall are not included.`,
    );
  }
  for (const [key, operation] of directions) {
    const part = optionalAt(job, key);
    if (part === null) continue;
    const label = `${name}: ${key}`;
    const sizeBytes = key === "sync" ? null : operationBytes(part, blockText(options, globals, key));
    take({ field: part.path });
    const read = readDirection(part, { label, operation, sizeBytes }, take);
    if (read === null) continue;
    summaries.push(read.summary);
    if (read.distribution !== null) distributions.push(read.distribution);
    if (key !== "sync" && read.latency !== null) kinds.add(read.latency.of);
    if (read.latency === null && error === null) notes.push(`${label}: fio measured no latencies.`);
    if (read.latency?.leavesOutCompletion === true) {
      notes.push(
        `${label}: fio kept percentiles of completion alone, and submission took a large part of the time, so they are left out; --lat_percentiles=1 keeps those of the whole.`,
      );
    }
  }
  if (optionalAt(job, "mixed") === null) return;
  reading.isMixed = true;
  notes.push(`Job "${name}" reports reads and writes together (unified_rw_reporting), so it is left out.`);
}

/** Returns "rate_iops=100", or null for a job that issued requests at full speed. */
function findRate(options: JsonNode | null, globals: JsonNode | null): string | null {
  for (const key of ["rate_iops", "rate"]) {
    const given = (options && optionalAt(options, key)) ?? (globals && optionalAt(globals, key));
    if (given !== null && given !== undefined) return `${key}=${shortened(requireString(given))}`;
  }
  return null;
}

/** Returns "28 (ENOSPC)", or null for a successful job. */
function jobError(job: JsonNode): string | null {
  const error = optionalAt(job, "error");
  if (error === null || error.value === 0) return null;
  const number = requireCount(error);
  const name = number > 0 && number < 4096 ? getSystemErrorName(-number) : "";
  return name === "" || name.startsWith("Unknown") ? `${number}` : `${number} (${name})`;
}

interface Subject {
  readonly label: string;
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number | null;
}

interface ReadDirection {
  readonly summary: ImportedSummary;
  readonly distribution: ImportedDistribution | null;
  readonly latency: FioLatency | null;
}

function readDirection(part: JsonNode, subject: Subject, take: TakeRow): ReadDirection | null {
  const isSync = subject.operation === "SYNC";
  const operationCount = isSync ? (fioLatencyCount(part) ?? 0) : requireCount(at(part, "total_ios"));
  if (operationCount === 0) return null;
  const ioBytes = isSync ? null : optionalAt(part, "io_bytes");
  if (ioBytes !== null && requireNumber(ioBytes) === 0) {
    const summary = { ...subject, operationCount, failureCount: operationCount, isApproximate: false };
    return { summary, distribution: null, latency: null };
  }
  const latency = readFioLatency(part, take);
  return {
    summary: {
      ...subject,
      operationCount,
      ...latency?.figures,
      ...(latency?.percentilesMs && { percentilesMs: latency.percentilesMs }),
      ...(!isSync && {
        bytesPerSecond: bytesPerSecond(part),
        operationsPerSecond: requireNumber(at(part, "iops")),
      }),
      isApproximate: false,
    },
    distribution: latency?.bins ? { ...subject, of: "operations", bins: latency.bins } : null,
    latency,
  };
}

function bytesPerSecond(part: JsonNode): number {
  const exact = optionalAt(part, "bw_bytes");
  return exact === null ? requireNumber(at(part, "bw")) * KIB : requireNumber(exact);
}

/** Power of each letter; the base is `kb_base`, by default 1,024. */
const POWERS: Readonly<Record<string, number>> = { "": 0, b: 0, k: 1, m: 2, g: 3 };
const KB_BASES = [KIB, 1000] as const;
/** The last operations of a job may be shorter than the others. */
const SHORT_SHARE_MAX = 0.01;

/** Reads `bs` as "64k" or, for reads and writes, "4k,64k". Null without it. */
function blockText(options: JsonNode | null, globals: JsonNode | null, direction: string): string | null {
  const given = (options && optionalAt(options, "bs")) ?? (globals && optionalAt(globals, "bs"));
  if (given === null || given === undefined) return null;
  const [ofRead = "", ofWrite = ofRead] = requireString(given).toLowerCase().split(",");
  return (direction === "write" ? ofWrite : ofRead).trim();
}

/**
 * Size of an operation according to the options, in the base that the run's byte counts show; null for ranges and
 * anything else that is not a single size.
 */
function operationBytes(part: JsonNode, text: string | null): number | null {
  const parts = /^(\d{1,15})([bkmg]?)(?:i?b)?$/.exec(text ?? "");
  const power = POWERS[parts?.[2] ?? "?"];
  if (parts === null || power === undefined) return null;
  const sizes = KB_BASES.map((base) => Number(parts[1]) * base ** power);
  const [ioBytes, count] = ["io_bytes", "total_ios"].map((key) => {
    const node = optionalAt(part, key);
    return node === null ? 0 : requireNumber(node);
  }) as [number, number];
  const meanBytes = ioBytes / Math.max(1, count);
  const fitting = sizes.find((bytes) => Math.abs(bytes - meanBytes) <= bytes * SHORT_SHARE_MAX);
  return fitting ?? sizes[0] ?? null;
}

function jobOptions(globals: JsonNode | null): Record<string, string> {
  if (globals === null) return {};
  return Object.fromEntries(
    requireEntries(globals)
      .slice(0, 100)
      .map(([key, value]) => [key.slice(0, 100), requireString(value).slice(0, 1000)]),
  );
}
