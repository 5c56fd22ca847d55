/**
 * Splits the samples of a run into groups, one per operation, size and number of connections, and stores their figures
 * and samples.
 */
import assert from "node:assert/strict";
import { SeenConnections } from "@stashlight/benchmark-formats";
import {
  addStart,
  type CollectedStarts,
  collectStarts,
  joinStarts,
  summariseStarts,
} from "@stashlight/benchmark-formats/starts";
import type { BenchmarkGroupRow } from "@stashlight/contracts/benchmark";
import { type BenchmarkOperation, type BenchmarkSample, latencyMs } from "@stashlight/contracts/sample";
import { binaryArray } from "@stashlight/db/metrics";
import { summariseRun } from "@stashlight/stats";
import type { Statements } from "../statements.ts";
import { FIGURES_EDITION } from "./figures-edition.ts";
import { methodLegs } from "./method.ts";
import { joinPacked, packSamples } from "./pack.ts";
import { runMethod } from "./stored-plan.ts";

export interface RunOfGroups {
  id: string;
  /** The method, which determines the number of connections of each leg. */
  method: unknown;
  planId: string | null;
  endpointId: string | null;
  slotAt: Date;
}

/** A group as stored, without its run. */
export interface PreparedGroup extends ReturnType<typeof groupFigures> {
  operation: BenchmarkOperation;
  sizeBytes: number;
  connectionCount: number;
  /** In order of start. */
  latencyMs: Float64Array<ArrayBuffer>;
  /** Indexes into `latencyMs`. */
  failedAt: Int32Array<ArrayBuffer>;
  packed: Uint8Array<ArrayBuffer>;
}

/**
 * Groups a run's measurements by operation, size and the number of connections that `connectionsOf` returns for a leg.
 */
export function prepareGroups(
  samples: readonly BenchmarkSample[],
  connectionsOf: (leg: number) => number,
): PreparedGroup[] {
  const collector = createGroupCollector();
  for (const sample of samples.toSorted((a, b) => a.index - b.index)) collector.take(sample);
  return collector.finish(connectionsOf);
}

/** Stores a run's measurements, once per run. */
export async function storeGroups(
  tx: Statements,
  run: RunOfGroups,
  samples: readonly BenchmarkSample[],
): Promise<void> {
  await writeGroups(tx, run, prepareGroups(samples, countConnections(methodLegs(runMethod(run)), samples)));
}

/**
 * Returns a function that counts a leg's connections: by the method's plan, or by the samples if the plan does not have
 * the leg, as for pings.
 */
export function countConnections(
  legs: readonly { readonly connectionCount: number }[],
  samples: readonly BenchmarkSample[],
): (leg: number) => number {
  const seen = new SeenConnections();
  for (const sample of samples) seen.add(sample);
  return (leg) => legs[leg]?.connectionCount ?? seen.count(leg);
}

export async function writeGroups(
  tx: Statements,
  run: Omit<RunOfGroups, "method">,
  groups: readonly PreparedGroup[],
): Promise<void> {
  await writeFigures(tx, run, groups);
  for (const group of groups) await writeSamples(tx, run.id, group);
}

/** Writes the figures of the groups; their samples are written separately. */
export async function writeFigures(
  tx: Statements,
  { id: runId, planId, endpointId, slotAt }: Omit<RunOfGroups, "method">,
  groups: readonly PreparedGroup[],
): Promise<void> {
  const rows = groups.map((group) => ({
    run_id: runId,
    operation: group.operation,
    size_bytes: group.sizeBytes,
    connection_count: group.connectionCount,
    plan_id: planId,
    endpoint_id: endpointId,
    slot_at: slotAt,
    n: group.n,
    failure_count: group.failureCount,
    tagged_count: group.taggedCount,
    cold_count: group.coldCount,
    mean_ms: group.meanMs,
    sd_ms: group.sdMs,
    min_ms: group.minMs,
    p5_ms: group.p5Ms,
    p25_ms: group.p25Ms,
    median_ms: group.medianMs,
    p75_ms: group.p75Ms,
    p90_ms: group.p90Ms,
    p95_ms: group.p95Ms,
    max_ms: group.maxMs,
    median_low_ms: group.medianLowMs,
    median_high_ms: group.medianHighMs,
    rtt_count: group.rttCount,
    rtt_missed_count: group.rttMissedCount,
    rtt_median_ms: group.rttMedianMs,
    rtt_p95_ms: group.rttP95Ms,
    starts: group.starts,
    figures_edition: FIGURES_EDITION,
  }));
  await tx.query(
    "INSERT INTO benchmark_group SELECT * FROM jsonb_populate_recordset(NULL::benchmark_group, $1::jsonb)",
    [JSON.stringify(rows)],
  );
}

/**
 * Writes the samples of one group as whole columns: the ORM's query compiler would process each number, and block the
 * process for seconds with 400,000 of them.
 */
export async function writeSamples(
  tx: Statements,
  runId: string,
  { operation, sizeBytes, connectionCount, latencyMs, failedAt, packed }: PreparedGroup,
): Promise<void> {
  await tx.query(
    `INSERT INTO benchmark_group_samples
       (run_id, operation, size_bytes, connection_count, latency_ms, failed_at, packed)
     VALUES ($1, $2, $3, $4, $5::float8[], $6::int4[], $7)`,
    [
      runId,
      operation,
      sizeBytes,
      connectionCount,
      binaryArray.float8(latencyMs),
      binaryArray.int4(failedAt),
      Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength),
    ],
  );
}

/** Number of samples of all groups that wait to be packed, which limits memory. */
const PORTION_SAMPLES = 10_000;

interface Group {
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  readonly leg: number;
  readonly okMs: number[];
  readonly failedMs: number[];
  readonly latencyMs: number[];
  readonly failedAt: number[];
  readonly rttMs: number[];
  readonly starts: CollectedStarts;
  rttMissedCount: number;
  taggedCount: number;
  coldCount: number;
  waiting: BenchmarkSample[];
  readonly portions: Uint8Array[];
}

export interface GroupCollector {
  /** Takes samples in order of start; returns the number of groups, one per leg. */
  take(sample: BenchmarkSample): number;
  /** Legs of one operation and size share a group if they used the same number of connections. */
  finish(connectionsOf: (leg: number) => number): PreparedGroup[];
}

/** Sorts samples into groups as they arrive, and keeps little more than the duration of each. */
export function createGroupCollector(): GroupCollector {
  const groups = new Map<string, Group>();
  let waitingCount = 0;
  const pack = (): void => {
    for (const group of groups.values()) {
      if (group.waiting.length > 0) group.portions.push(packSamples(group.waiting));
      group.waiting = [];
    }
    waitingCount = 0;
  };
  return {
    take(sample) {
      const { operation, sizeBytes, leg = 0 } = sample;
      const name = `${operation} ${sizeBytes} ${leg}`;
      let group = groups.get(name);
      if (group === undefined) {
        group = emptyGroup(operation, sizeBytes, leg);
        groups.set(name, group);
      }
      addSample(group, sample);
      waitingCount += 1;
      if (waitingCount >= PORTION_SAMPLES) pack();
      return groups.size;
    },
    finish(connectionsOf) {
      pack();
      const loads = Map.groupBy(groups.values(), ({ operation, sizeBytes, leg }) =>
        JSON.stringify([operation, sizeBytes, connectionsOf(leg)]),
      );
      return [...loads.values()].map((legs) => {
        const joined = joinLegs(legs);
        return prepareGroup(joined, connectionsOf(joined.leg));
      });
    },
  };
}

/** Joins the legs of one load, which are consecutive, as in the stages of a backup. */
function joinLegs(legs: readonly Group[]): Group {
  const [first, ...others] = legs;
  assert(first, "A load must have at least one leg.");
  if (others.length === 0) return first;
  const sum = (count: (group: Group) => number): number => legs.reduce((total, leg) => total + count(leg), 0);
  const ends: number[] = [];
  for (const each of legs) ends.push((ends.at(-1) ?? 0) + each.latencyMs.length);
  return {
    ...first,
    okMs: legs.flatMap(({ okMs }) => okMs),
    failedMs: legs.flatMap(({ failedMs }) => failedMs),
    latencyMs: legs.flatMap((each) => each.latencyMs),
    failedAt: legs.flatMap(({ failedAt }, place) => failedAt.map((at) => at + (ends[place - 1] ?? 0))),
    rttMs: legs.flatMap(({ rttMs }) => rttMs),
    starts: joinStarts(legs.map(({ starts }) => starts)),
    rttMissedCount: sum((leg) => leg.rttMissedCount),
    taggedCount: sum((leg) => leg.taggedCount),
    coldCount: sum((leg) => leg.coldCount),
    portions: legs.flatMap(({ portions }) => portions),
  };
}

function emptyGroup(operation: BenchmarkOperation, sizeBytes: number, leg: number): Group {
  const counts = { taggedCount: 0, coldCount: 0, rttMissedCount: 0 };
  const lists = { okMs: [], failedMs: [], latencyMs: [], failedAt: [], rttMs: [], waiting: [], portions: [] };
  return { operation, sizeBytes, leg, starts: collectStarts(), ...counts, ...lists };
}

function addSample(group: Group, sample: BenchmarkSample): void {
  const { outcome, isTagged, isCold, rttMs, rttMissing } = sample;
  const tookMs = latencyMs(sample);
  if (outcome === "ok") group.okMs.push(tookMs);
  else {
    group.failedMs.push(tookMs);
    group.failedAt.push(group.latencyMs.length);
  }
  group.latencyMs.push(tookMs);
  addStart(group.starts, sample);
  if (isTagged) group.taggedCount += 1;
  if (isCold) group.coldCount += 1;
  if (rttMs !== undefined) group.rttMs.push(rttMs);
  else if (rttMissing !== undefined) group.rttMissedCount += 1;
  group.waiting.push(sample);
}

function prepareGroup(group: Group, connectionCount: number): PreparedGroup {
  const { operation, sizeBytes, portions } = group;
  const [only] = portions;
  return {
    operation,
    sizeBytes,
    connectionCount,
    ...groupFigures(group),
    latencyMs: Float64Array.from(group.latencyMs),
    failedAt: Int32Array.from(group.failedAt),
    packed: portions.length === 1 && only !== undefined ? Uint8Array.from(only) : joinPacked(portions),
  };
}

/** Column names of `benchmark_group`. */
function groupFigures(group: Group) {
  const { okMs, failedMs, taggedCount, coldCount, rttMs, rttMissedCount } = group;
  const summary = summariseRun({ ok: okMs, censored: failedMs });
  const { p5, p25, median, p75, p90, p95 } = summary.percentiles;
  return {
    n: summary.n,
    failureCount: summary.failureCount,
    taggedCount,
    coldCount,
    meanMs: summary.mean,
    sdMs: summary.sd,
    minMs: summary.min,
    p5Ms: p5.value,
    p25Ms: p25.value,
    medianMs: median.value,
    p75Ms: p75.value,
    p90Ms: p90.value,
    p95Ms: p95.value,
    maxMs: summary.max,
    medianLowMs: summary.medianInterval?.low ?? null,
    medianHighMs: summary.medianInterval?.high ?? null,
    ...summariseRoundTrips(rttMs, rttMissedCount),
    starts: summariseStarts(group.starts),
  };
}

/** Pings that timed out rank last, because they took longer than those that were answered. */
function summariseRoundTrips(
  rttMs: readonly number[],
  missedCount: number,
): Pick<BenchmarkGroupRow, "rttCount" | "rttMissedCount" | "rttMedianMs" | "rttP95Ms"> {
  if (rttMs.length + missedCount === 0) {
    return { rttCount: null, rttMissedCount: null, rttMedianMs: null, rttP95Ms: null };
  }
  const censored = new Array<number>(missedCount).fill(0);
  const { median, p95 } = summariseRun({ ok: rttMs, censored }).percentiles;
  return {
    rttCount: rttMs.length,
    rttMissedCount: missedCount,
    rttMedianMs: median.value,
    rttP95Ms: p95.value,
  };
}
