import { runPrefixOf } from "@stashlight/benchmark/run-keys";
import { StashlightError } from "@stashlight/contracts/errors";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import type { ProbeReport, ProbeSlotReport } from "@stashlight/contracts/probe/job";
import type { Transaction } from "@stashlight/db";
import type { Core } from "../../core.ts";
import { recordFsyncReport } from "../../fsync-probe/record.ts";
import { LeaseLostError, leaseMoment, renewLease } from "../../lease/lease.ts";
import { leasesIn } from "../../lease/orm.ts";
import { methodOfRun } from "../find.ts";
import { estimateOf, priceOf } from "../method.ts";
import type { StoredRun } from "../rows.ts";
import { closeSlot, costOfResult, resultOf, type SlotEnding } from "../slot/end.ts";
import { leasedSlots, slotKey } from "../slot/leased.ts";
import { addPart, finishRun, noteManifest, noteProgress } from "../slot/record.ts";
import { probeLeaseMs } from "./claim-job.ts";
import { claimantOf } from "./idle.ts";

const cleanRetryMs = 600_000;

/** What a probe measured. The same report may come again; a slot that was taken from it is refused as a conflict. */
export async function recordProbeReport(
  platform: Core,
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
    return await platform.db.$transaction((tx) => recordSlot(tx, platform, node, report));
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error;
    throw new StashlightError("conflict", "The slot is over, or was taken from the probe.");
  }
}

async function noteCleaned(
  { db, now }: Core,
  { nodeId }: AuthenticatedNode,
  { runId, error }: Extract<ProbeReport, { type: "cleaned" }>,
): Promise<void> {
  const at = now();
  await db.benchmarkRun.updateMany({
    where: { id: runId, vantageNodeId: nodeId, cleanedAt: null, state: { notIn: ["queued", "running"] } },
    data:
      error === null
        ? { cleanedAt: at, cleanError: null }
        : { cleanError: error, cleanAfter: new Date(at.getTime() + cleanRetryMs) },
  });
}

async function recordSlot(
  tx: Transaction,
  platform: Core,
  node: AuthenticatedNode,
  report: ProbeSlotReport,
): Promise<{ isCancelled: boolean }> {
  const { scheduleId, attempt, isOver } = report;
  const plannedAt = new Date(report.plannedAtMs);
  const now = platform.now();
  const { cancelledBy } = await renewLease(
    leasesIn(tx),
    leasedSlots,
    slotKey({ scheduleId, plannedAt }),
    { attempt, claimant: claimantOf(node), leaseMs: probeLeaseMs },
    leaseMoment(platform),
  );
  const ending: SlotEnding = { reason: cancelledBy === null ? null : "cancelled", cancelledBy };
  const plan = await tx.benchmarkPlan.findUniqueOrThrow({ where: { scheduleId }, select: { id: true } });
  if (report.run !== null) {
    const run = await tx.benchmarkRun.findFirst({
      where: { id: report.run.runId, planId: plan.id, slotAt: plannedAt, attempt },
    });
    if (run === null) throw new StashlightError("invalid_input", "The run is none of the slot's.");
    await recordRun(tx, run, report.run, ending, now);
  }
  if (isOver) await closeSlot(tx, { scheduleId, plannedAt, attempt, planId: plan.id }, ending, now);
  return { isCancelled: cancelledBy !== null };
}

async function recordRun(
  tx: Transaction,
  run: StoredRun,
  { part, samples, progress, manifest, end }: NonNullable<ProbeSlotReport["run"]>,
  ending: SlotEnding,
  now: Date,
): Promise<void> {
  const isUnderWay = run.state === "queued" || run.state === "running";
  // It ended with an earlier copy of this report.
  if (!isUnderWay) return;
  if (run.state === "queued") await begin(tx, run, now);
  if (samples.length > 0) await addPart(tx, run.id, part, samples);
  if (progress !== null) await noteProgress(tx, run.id, progress, now);
  if (manifest !== null) await noteManifest(tx, run.id, manifest);
  if (end === null) return;
  const { cost, progress: share } = await tx.benchmarkRun.findUniqueOrThrow({ where: { id: run.id } });
  await finishRun(tx, run.id, costOfResult(resultOf(end, ending), cost, share), now);
}

async function begin(tx: Transaction, run: StoredRun, startedAt: Date): Promise<void> {
  const endpoint =
    run.endpointId === null
      ? null
      : await tx.endpoint.findUnique({
          where: { id: run.endpointId },
          select: { id: true, prefix: true, priceList: true },
        });
  const estimate = estimateOf(methodOfRun(run));
  await tx.benchmarkRun.update({
    where: { id: run.id },
    data: {
      state: "running",
      startedAt,
      cost: endpoint === null ? null : priceOf(estimate, endpoint),
      keyPrefix: endpoint === null ? null : runPrefixOf(endpoint.prefix, run.id),
      estimatedEndAt: new Date(startedAt.getTime() + estimate.seconds * 1000),
    },
  });
}
