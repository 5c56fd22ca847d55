/** Ends runs and slots, whether the worker or a probe measured them. */
import type { RunEnd } from "@stashlight/benchmark";
import type { BenchmarkReport } from "@stashlight/contracts/benchmark";
import { releaseLease } from "../../lease/lease.ts";
import { present } from "../../present.ts";
import type { Statements } from "../../statements.ts";
import { interruptSlot } from "./interrupt.ts";
import { leasedSlots, type SlotName, slotKey } from "./leased.ts";
import { finishRun, type RunResult } from "./record.ts";
import { finishSlot } from "./slot-row.ts";

/** Reason why a slot ends early. */
export type EndReason = "cancelled" | "stopped" | "lost";

export interface SlotEnding {
  reason: EndReason | null;
  cancelledBy: string | null;
}

type EndOfRun = Pick<
  RunEnd,
  "state" | "sentence" | "sampleCount" | "failureCount" | "isContaminated" | "openedConnectionCount" | "cpu"
> & {
  readonly flags: readonly BenchmarkReport["flags"][number][];
  readonly results: readonly BenchmarkReport["results"][number][];
  readonly stages: readonly BenchmarkReport["stages"][number][];
};

/** Ends a run with the outcome that the measuring process reports. */
export async function endRun(
  tx: Statements,
  runId: string,
  end: EndOfRun,
  ending: SlotEnding,
  now: Date,
): Promise<void> {
  const [run] = await tx.query<{ cost: number | null; progress: number }>(
    "SELECT cost, progress FROM benchmark_run WHERE id = $1::uuid",
    [runId],
  );
  const { cost, progress } = present(run);
  const [cells] = await tx.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM benchmark_disk_cell WHERE run_id = $1::uuid",
    [runId],
  );
  const result = runResult(end, ending, present(cells).count);
  await finishRun(tx, runId, costOfResult(result, cost, progress), now);
}

function runResult(end: EndOfRun, ending: SlotEnding, cellCount: number): RunResult {
  const { sampleCount, failureCount, sentence } = end;
  const report = runReport(end);
  const writtenBytes = end.results.find(({ name }) => name === "writtenBytes")?.value;
  if (end.state === "cancelled") {
    const isCancelled = ending.reason === "cancelled";
    const why = isCancelled ? `Cancelled by ${ending.cancelledBy}` : "The worker was stopped";
    const state = isCancelled ? "cancelled" : "interrupted";
    const done = cellCount > 0 ? `${cellCount} cells` : `${sampleCount} samples`;
    return { state, outcome: `${why} after ${done}.`, report, writtenBytes };
  }
  if (end.state !== "succeeded") return { state: end.state, outcome: sentence, report, writtenBytes };
  if (sampleCount > 0 && failureCount === sampleCount) {
    return { state: "failed", outcome: `All ${sampleCount} operations failed.`, report, writtenBytes };
  }
  if (cellCount > 0) {
    const outcome = `${cellCount} ${cellCount === 1 ? "cell" : "cells"} measured.`;
    return { state: "succeeded", outcome, report, writtenBytes };
  }
  const failures = failureCount === 0 ? "none" : failureCount;
  return {
    state: "succeeded",
    outcome: `${sampleCount} samples, ${failures} of them failed.`,
    report,
    writtenBytes,
  };
}

function runReport(end: EndOfRun): BenchmarkReport {
  const { isContaminated, flags, results, stages, openedConnectionCount, cpu } = end;
  return {
    isContaminated,
    flags: flags.map((flag) => ({ ...flag })),
    results: results.map((result) => ({ ...result })),
    stages: [...stages],
    openedConnectionCount,
    cpu,
  };
}

/** A run that ended early is charged for the part that was done. */
function costOfResult(result: RunResult, expected: number | null, progress: number): RunResult {
  const isWhole = result.state === "succeeded" || expected === null;
  return isWhole ? result : { ...result, cost: expected * progress };
}

/** Ends a slot that the caller holds, based on the outcomes of its last attempt's runs. */
export async function closeSlot(
  tx: Statements,
  { scheduleId, plannedAt, planId, attempt }: SlotName & { planId: string; attempt: number },
  { reason, cancelledBy }: SlotEnding,
  finishedAt: Date,
): Promise<void> {
  const name = { scheduleId, plannedAt };
  const states = await tx.query<{ state: string; isDrive: boolean }>(
    `SELECT r.state, coalesce(e.kind = 'drive', false) AS "isDrive"
       FROM benchmark_run AS r LEFT JOIN endpoint AS e ON e.id = r.endpoint_id
      WHERE r.plan_id = $1::uuid AND r.slot_at = $2 AND r.attempt = $3::integer`,
    [planId, plannedAt, attempt],
  );
  const countState = (wanted: string): number => states.filter(({ state }) => state === wanted).length;
  if (reason === "stopped") return interruptSlot(tx, name, "the worker was stopped", finishedAt);
  if (reason === null && countState("interrupted") > 0) {
    return interruptSlot(tx, name, "a process that measured was lost", finishedAt);
  }
  await releaseLease(tx, leasedSlots, slotKey(name));
  if (reason === "cancelled") {
    const outcome = `Cancelled by ${cancelledBy}.`;
    await tx.query(
      `UPDATE benchmark_run SET state = 'cancelled', outcome = $4, finished_at = $5
        WHERE plan_id = $1::uuid AND slot_at = $2 AND attempt = $3::integer AND state = 'queued'`,
      [planId, plannedAt, attempt, outcome, finishedAt],
    );
    return finishSlot(tx, name, { state: "failed", outcome }, finishedAt);
  }
  const failedCount = countState("failed");
  const noun = states.some(({ isDrive }) => isDrive) ? "drive" : "endpoint";
  const subjects = `${states.length} ${noun}${states.length === 1 ? "" : "s"}`;
  const outcome =
    failedCount === 0 ? `${subjects} measured.` : `${failedCount} of ${subjects} could not be measured.`;
  const state = failedCount === 0 ? "succeeded" : "failed";
  await finishSlot(tx, name, { state, outcome }, finishedAt);
}
