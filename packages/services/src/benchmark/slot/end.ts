/** How runs and slots end, wherever they were measured. */
import type { RunEnd } from "@stashlight/benchmark";
import type { BenchmarkReport } from "@stashlight/contracts/benchmark/plan";
import type { Transaction } from "@stashlight/db";
import { releaseLease } from "../../lease/lease.ts";
import { leasesIn } from "../../lease/orm.ts";
import { interruptSlot } from "./interrupt.ts";
import { leasedSlots, type SlotName, slotKey } from "./leased.ts";
import type { RunResult } from "./record.ts";

/** Why a slot ends early. */
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
};

export function resultOf(end: EndOfRun, ending: SlotEnding): RunResult {
  const { sampleCount, failureCount, sentence } = end;
  const report = reportOf(end);
  if (end.state === "cancelled") {
    const isCancelled = ending.reason === "cancelled";
    const why = isCancelled ? `Cancelled by ${ending.cancelledBy}` : "The worker was stopped";
    const state = isCancelled ? "cancelled" : "interrupted";
    return { state, outcome: `${why} after ${sampleCount} samples.`, report };
  }
  if (end.state !== "succeeded") return { state: end.state, outcome: sentence, report };
  if (sampleCount > 0 && failureCount === sampleCount) {
    return { state: "failed", outcome: `All ${sampleCount} operations failed.`, report };
  }
  const failures = failureCount === 0 ? "none" : failureCount;
  return { state: "succeeded", outcome: `${sampleCount} samples, ${failures} of them failed.`, report };
}

function reportOf({ isContaminated, flags, results, openedConnectionCount, cpu }: EndOfRun): BenchmarkReport {
  return {
    isContaminated,
    flags: flags.map((flag) => ({ ...flag })),
    results: results.map((result) => ({ ...result })),
    openedConnectionCount,
    cpu,
  };
}

/** A run that ended early is charged for as much of it as was done. */
export function costOfResult(result: RunResult, expected: number | null, progress: number): RunResult {
  const isWhole = result.state === "succeeded" || expected === null;
  return isWhole ? result : { ...result, cost: expected * progress };
}

/** Writes the end of a slot that the caller holds, by how the runs of its last attempt ended. */
export async function closeSlot(
  tx: Transaction,
  { scheduleId, plannedAt, planId, attempt }: SlotName & { planId: string; attempt: number },
  { reason, cancelledBy }: SlotEnding,
  finishedAt: Date,
): Promise<void> {
  const name = { scheduleId, plannedAt };
  const runs = { planId, slotAt: plannedAt, attempt };
  const states = (await tx.benchmarkRun.findMany({ where: runs, select: { state: true } })).map(
    ({ state }) => state,
  );
  if (reason === "stopped") return interruptSlot(tx, name, "the worker was stopped", finishedAt);
  if (reason === null && states.includes("interrupted")) {
    return interruptSlot(tx, name, "a process that measured was lost", finishedAt);
  }
  await releaseLease(leasesIn(tx), leasedSlots, slotKey(name));
  const where = { scheduleId_plannedAt: name };
  if (reason === "cancelled") {
    const outcome = `Cancelled by ${cancelledBy}.`;
    await tx.benchmarkRun.updateMany({
      where: { ...runs, state: "queued" },
      data: { state: "cancelled", outcome, finishedAt },
    });
    await tx.scheduleRun.update({ where, data: { state: "failed", outcome, finishedAt } });
    return;
  }
  const failedCount = states.filter((state) => state === "failed").length;
  const outcome =
    failedCount === 0
      ? `${states.length} endpoints measured.`
      : `${failedCount} of ${states.length} endpoints could not be measured.`;
  const state = failedCount === 0 ? "succeeded" : "failed";
  await tx.scheduleRun.update({ where, data: { state, outcome, finishedAt } });
}
