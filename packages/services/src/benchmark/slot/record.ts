/**
 * Writes the row of a run, step by step. Every step succeeds only while the caller holds the slot's lease
 * (`renewLease`).
 */
import type { RunManifest, RunProgress } from "@stashlight/benchmark";
import type { BenchmarkReport, BenchmarkRunState } from "@stashlight/contracts/benchmark";
import { cellIops, mainLatency } from "@stashlight/contracts/disk";
import type { ProbeSlotReport } from "@stashlight/contracts/probe/job";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { benchmarkDiskCellColumns, benchmarkRunColumns } from "@stashlight/db/columns/benchmark";
import type { Statements } from "../../statements.ts";
import { type RunOfGroups, storeGroups } from "../groups.ts";
import { packSamples, unpackSamples } from "../pack.ts";

export interface RunBeginning {
  startedAt: Date;
  estimatedEndAt: Date;
  /** Expected cost; null if unknown. */
  cost: number | null;
  /** Maximum number of bytes written to drives; null for stores. */
  writtenBytes?: number | null;
}

export async function noteBeginning(
  tx: Statements,
  runId: string,
  { startedAt, estimatedEndAt, cost, writtenBytes }: RunBeginning,
): Promise<void> {
  await changeRun(
    tx,
    runId,
    `state = 'running', started_at = $2::timestamptz, estimated_end_at = $3::timestamptz, cost = $4::float8,
     written_bytes = $5::float8`,
    [startedAt, estimatedEndAt, cost, writtenBytes ?? null],
  );
}

/** From now on, objects may exist below the prefix. */
export async function noteKeyPrefix(tx: Statements, runId: string, keyPrefix: string): Promise<void> {
  await changeRun(tx, runId, "key_prefix = $2::text", [keyPrefix]);
}

export async function noteProgress(
  tx: Statements,
  runId: string,
  { share, text, leftMs }: RunProgress,
  now: Date,
): Promise<void> {
  const estimatedEndAt = leftMs === null ? null : new Date(now.getTime() + leftMs);
  await changeRun(
    tx,
    runId,
    `progress = $2::float8, progress_text = $3::text,
     estimated_end_at = coalesce($4::timestamptz, estimated_end_at)`,
    [share, text, estimatedEndAt],
  );
}

export async function noteManifest(
  tx: Statements,
  runId: string,
  manifest: RunManifest | Record<string, unknown>,
): Promise<void> {
  const written = benchmarkRunColumns.manifest.write({ ...manifest });
  await changeRun(tx, runId, "manifest = $2::jsonb", [JSON.stringify(written)]);
}

/** Skips a part that is already stored. */
export async function addPart(
  tx: Statements,
  runId: string,
  part: number,
  samples: readonly BenchmarkSample[],
): Promise<void> {
  const added = await tx.query(
    `INSERT INTO benchmark_sample_part (run_id, part, sample_count, packed)
     VALUES ($1::uuid, $2::integer, $3::integer, $4::bytea) ON CONFLICT DO NOTHING RETURNING part`,
    [runId, part, samples.length, packSamples(samples)],
  );
  if (added.length === 0) return;
  await changeRun(
    tx,
    runId,
    "sample_count = sample_count + $2::integer, failure_count = failure_count + $3::integer",
    [samples.length, samples.filter(({ outcome }) => outcome !== "ok").length],
  );
}

/** Stores finished cells; skips those already stored. */
export async function addCells(
  tx: Statements,
  runId: string,
  cells: NonNullable<ProbeSlotReport["run"]>["cells"],
): Promise<void> {
  const rows = cells.map(({ place, run, result }) => ({
    run_id: runId,
    place,
    repetition: run,
    access: result.cell.access,
    read_share: result.cell.readShare,
    block_bytes: result.cell.blockBytes,
    queue_depth: result.cell.queueDepth,
    syncs_writes: result.cell.syncsWrites,
    seconds: result.seconds,
    iops: cellIops(result),
    p50_us: mainLatency(result).p50Us,
    p99_us: mainLatency(result).p99Us,
    is_steady: result.steadyState?.isSteady ?? null,
    written_bytes: result.writtenBytes,
    result: benchmarkDiskCellColumns.result.write(result),
  }));
  await tx.query(
    `INSERT INTO benchmark_disk_cell
     SELECT * FROM jsonb_populate_recordset(NULL::benchmark_disk_cell, $1::jsonb) ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows)],
  );
}

export interface RunResult {
  state: Extract<BenchmarkRunState, "succeeded" | "failed" | "cancelled" | "interrupted">;
  outcome: string | null;
  report?: BenchmarkReport;
  /** Actual cost; by default the expected cost stays. */
  cost?: number;
  /** Bytes written to drives; by default the expected maximum stays. */
  writtenBytes?: number | undefined;
}

/** Forms groups from the parts even if the run failed, so that its measurements are kept. */
export async function finishRun(
  tx: Statements,
  runId: string,
  { state, outcome, report, cost, writtenBytes }: RunResult,
  now: Date,
): Promise<void> {
  const parts = await tx.query<{ packed: Uint8Array }>(
    "SELECT packed FROM benchmark_sample_part WHERE run_id = $1::uuid ORDER BY part",
    [runId],
  );
  const samples = parts.flatMap(({ packed }) => unpackSamples(packed));
  const written = report === undefined ? null : JSON.stringify(benchmarkRunColumns.report.write(report));
  const run = await changeRun(
    tx,
    runId,
    `state = $2::text, outcome = $3::text, report = coalesce($4::jsonb, report),
     cost = coalesce($5::float8, cost), tagged_share = $6::float8,
     progress = CASE WHEN $2::text = 'succeeded' THEN 1 ELSE progress END,
     progress_text = NULL, estimated_end_at = NULL, finished_at = $7::timestamptz, clean_after = $7::timestamptz,
     written_bytes = coalesce($8::float8, written_bytes)`,
    [state, outcome, written, cost ?? null, computeTaggedShare(samples), now, writtenBytes ?? null],
  );
  if (samples.length > 0) await storeGroups(tx, run, samples);
  await tx.query("DELETE FROM benchmark_sample_part WHERE run_id = $1::uuid", [runId]);
}

/**
 * `values` are the parameters of `set` from $2 on. A missing run is a bug, because the process that holds the slot
 * keeps its runs.
 */
async function changeRun(
  tx: Statements,
  runId: string,
  set: string,
  values: readonly unknown[],
): Promise<RunOfGroups> {
  const [run] = await tx.query<RunOfGroups>(
    `UPDATE benchmark_run SET ${set} WHERE id = $1::uuid
     RETURNING id, method, plan_id AS "planId", endpoint_id AS "endpointId", slot_at AS "slotAt"`,
    [runId, ...values],
  );
  if (run === undefined) throw new Error(`The run ${runId} is gone.`);
  return run;
}

function computeTaggedShare(samples: readonly BenchmarkSample[]): number | null {
  if (samples.length === 0) return null;
  return samples.filter(({ isTagged }) => isTagged).length / samples.length;
}
