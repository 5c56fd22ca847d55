import { buildRunPrefix } from "@stashlight/benchmark/run-keys";
import { StashlightError } from "@stashlight/contracts/errors";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import type { ProbeReport, ProbeSlotReport } from "@stashlight/contracts/probe/job";
import type { Base } from "../../base.ts";
import { recordFsyncReport } from "../../fsync-probe/record.ts";
import { LeaseLostError, leaseMoment, renewLease } from "../../lease/lease.ts";
import { present } from "../../present.ts";
import { type Statements, transact } from "../../statements.ts";
import { estimatedPrice, measuresDrives, methodEstimate } from "../method.ts";
import { closeSlot, endRun, type SlotEnding } from "../slot/end.ts";
import { leasedSlots, slotKey } from "../slot/leased.ts";
import {
  addCells,
  addPart,
  noteBeginning,
  noteKeyPrefix,
  noteManifest,
  noteProgress,
} from "../slot/record.ts";
import { runMethod } from "../stored-plan.ts";
import { probeLeaseMs } from "./claim-job.ts";
import { nodeClaimant } from "./idle.ts";

const cleanRetryMs = 600_000;

/**
 * Records the measurements of a probe. The same report may arrive again; a report on a slot that was taken from the
 * probe is refused as a conflict.
 */
export async function recordProbeReport(
  platform: Base,
  node: AuthenticatedNode,
  report: ProbeReport,
): Promise<{ isCancelled: boolean }> {
  if (report.type === "cleaned") {
    await noteCleaned(platform, node, report);
    return { isCancelled: false };
  }
  if (report.type === "fsync") {
    await recordFsyncReport(platform, node, report);
    return { isCancelled: false };
  }
  try {
    return await transact(platform.metrics, (tx) => recordSlot(tx, platform, node, report));
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error;
    throw new StashlightError("conflict", "The slot has ended, or was taken from the probe.");
  }
}

async function noteCleaned(
  { metrics, now }: Base,
  { nodeId }: AuthenticatedNode,
  { runId, error }: Extract<ProbeReport, { type: "cleaned" }>,
): Promise<void> {
  const at = now();
  await metrics.query(
    `UPDATE benchmark_run
        SET cleaned_at = $3::timestamptz, clean_error = $4::text, clean_after = coalesce($5::timestamptz, clean_after)
      WHERE id = $1::uuid AND vantage_node_id = $2::uuid AND cleaned_at IS NULL
        AND state NOT IN ('queued', 'running')`,
    error === null
      ? [runId, nodeId, at, null, null]
      : [runId, nodeId, null, error, new Date(at.getTime() + cleanRetryMs)],
  );
}

async function recordSlot(
  tx: Statements,
  platform: Base,
  node: AuthenticatedNode,
  report: ProbeSlotReport,
): Promise<{ isCancelled: boolean }> {
  const { scheduleId, attempt, isOver } = report;
  const plannedAt = new Date(report.plannedAtMs);
  const now = platform.now();
  const { cancelledBy } = await renewLease(
    tx,
    leasedSlots,
    slotKey({ scheduleId, plannedAt }),
    { attempt, claimant: nodeClaimant(node), leaseMs: probeLeaseMs },
    leaseMoment(platform),
  );
  const ending: SlotEnding = { reason: cancelledBy === null ? null : "cancelled", cancelledBy };
  const [plan] = await tx.query<{ id: string }>("SELECT id FROM benchmark_plan WHERE schedule_id = $1", [
    scheduleId,
  ]);
  const { id: planId } = present(plan);
  if (report.run !== null) {
    const [run] = await tx.query<ReportedRun>(
      `SELECT id, endpoint_id AS "endpointId", method, state FROM benchmark_run
        WHERE id = $1::uuid AND plan_id = $2::uuid AND slot_at = $3::timestamptz AND attempt = $4::integer`,
      [report.run.runId, planId, plannedAt, attempt],
    );
    if (run === undefined) throw new StashlightError("invalid_input", "The run does not belong to the slot.");
    await recordRun(tx, run, report.run, ending, now);
  }
  if (isOver) await closeSlot(tx, { scheduleId, plannedAt, attempt, planId }, ending, now);
  return { isCancelled: cancelledBy !== null };
}

interface ReportedRun {
  id: string;
  endpointId: string | null;
  method: unknown;
  state: string;
}

async function recordRun(
  tx: Statements,
  run: ReportedRun,
  { part, samples, progress, manifest, cells, end }: NonNullable<ProbeSlotReport["run"]>,
  ending: SlotEnding,
  now: Date,
): Promise<void> {
  const isUnderWay = run.state === "queued" || run.state === "running";
  // An earlier copy of this report has ended it.
  if (!isUnderWay) return;
  if (run.state === "queued") await begin(tx, run, now);
  if (samples.length > 0) await addPart(tx, run.id, part, samples);
  if (cells.length > 0) await addCells(tx, run.id, cells);
  if (progress !== null) await noteProgress(tx, run.id, progress, now);
  if (manifest !== null) await noteManifest(tx, run.id, manifest);
  if (end !== null) await endRun(tx, run.id, end, ending, now);
}

async function begin(tx: Statements, run: ReportedRun, startedAt: Date): Promise<void> {
  const [endpoint] = await tx.query<{ id: string; prefix: string; priceList: unknown }>(
    `SELECT id, prefix, price_list AS "priceList" FROM endpoint WHERE id = $1::uuid`,
    [run.endpointId],
  );
  const method = runMethod(run);
  const estimate = methodEstimate(method);
  const estimatedEndAt = new Date(startedAt.getTime() + estimate.seconds * 1000);
  if (measuresDrives(method)) {
    const { writtenBytes } = estimate;
    return noteBeginning(tx, run.id, { startedAt, estimatedEndAt, cost: null, writtenBytes });
  }
  const cost = endpoint === undefined ? null : estimatedPrice(estimate, endpoint);
  await noteBeginning(tx, run.id, { startedAt, estimatedEndAt, cost });
  if (endpoint !== undefined) await noteKeyPrefix(tx, run.id, buildRunPrefix(endpoint.prefix, run.id));
}
