/** Runs a claimed slot to its end: one endpoint after the other, each recorded as it goes and cleaned up after. */
import { randomInt } from "node:crypto";
import { type RunEnd, runPrefixOf, type SamplerJobInput } from "@stashlight/benchmark";
import { type BenchmarkReport, StashlightError } from "@stashlight/contracts";
import { reachEndpoint } from "../../endpoint/target.ts";
import type { Platform } from "../../platform.ts";
import { estimateOf, priceOf } from "../method.ts";
import type { StoredRun } from "../rows.ts";
import type { ClaimedSlot } from "./claim.ts";
import { cleanRun } from "./clean.ts";
import { interruptSlot } from "./interrupt.ts";
import { type LeaseOptions, SlotLease } from "./lease.ts";
import { finishRun, LeaseLostError, type RunResult } from "./record.ts";
import type { Runner } from "./runner.ts";

export interface ExecuteOptions extends LeaseOptions {
  runner: Runner;
  /** Aborted when the process is to end: the slot is interrupted, and tried again by its plan's policy. */
  stopping: AbortSignal;
}

export async function executeSlot(
  platform: Platform,
  slot: ClaimedSlot,
  options: ExecuteOptions,
): Promise<void> {
  const lease = new SlotLease(platform, slot, options);
  const stop = () => lease.end("stopped");
  options.stopping.addEventListener("abort", stop, { once: true });
  if (options.stopping.aborted) stop();
  try {
    const results: RunResult["state"][] = [];
    for (const run of slot.runs) {
      if (lease.endReason !== null) break;
      results.push(await measure(platform, { slot, run, lease, options }));
      if (lease.endReason !== "lost") await cleanRun(platform, run.id, options.runner, options.stopping);
    }
    await endSlot(slot, lease, results);
  } catch (error) {
    // Whoever has the slot writes its end.
    if (!(error instanceof LeaseLostError)) throw error;
  } finally {
    options.stopping.removeEventListener("abort", stop);
    await lease.close();
  }
}

interface Measuring {
  slot: ClaimedSlot;
  run: StoredRun;
  lease: SlotLease;
  options: ExecuteOptions;
}

async function measure(platform: Platform, measuring: Measuring): Promise<RunResult["state"]> {
  const { run, lease, options } = measuring;
  const job = await beginRun(platform, measuring);
  if (typeof job === "string") {
    const result = { state: "failed", outcome: job } as const;
    await lease.write((tx, now) => finishRun(tx, run.id, result, now));
    return "failed";
  }
  lease.attach(run.id);
  const end = await options.runner.run(job, {
    onSample: (sample) => lease.addSample(sample),
    onProgress: (progress) => lease.setProgress(progress),
    onManifest: (manifest) => lease.setManifest(manifest),
    signal: lease.signal,
  });
  if (lease.endReason === "lost") throw new LeaseLostError("The slot was taken while it ran.");
  return lease.write(async (tx, now) => {
    const { progress, cost } = await tx.benchmarkRun.findUniqueOrThrow({ where: { id: run.id } });
    const result = resultOf(end, lease);
    const isWhole = result.state === "succeeded" || cost === null;
    await finishRun(tx, run.id, isWhole ? result : { ...result, cost: (cost ?? 0) * progress }, now);
    return result.state;
  });
}

/** What the runner is to do; or why the endpoint cannot be reached, in a sentence. */
async function beginRun(
  platform: Platform,
  { slot, run, lease }: Measuring,
): Promise<SamplerJobInput | string> {
  const endpoint = await platform.db.endpoint.findUnique({ where: { id: run.endpointId ?? run.id } });
  if (endpoint === null) return "The endpoint was deleted.";
  const keyPrefix = runPrefixOf(endpoint.prefix, run.id);
  const estimate = estimateOf(slot.method);
  const cost = priceOf(estimate, endpoint.priceList);
  await lease.write(async (tx, startedAt) => {
    const estimatedEndAt = new Date(startedAt.getTime() + estimate.seconds * 1000);
    await tx.benchmarkRun.update({
      where: { id: run.id },
      data: { state: "running", startedAt, cost, estimatedEndAt },
    });
  });
  try {
    const { target, credentials } = await reachEndpoint(platform, endpoint);
    await lease.write((tx) => tx.benchmarkRun.update({ where: { id: run.id }, data: { keyPrefix } }));
    const { method, plannedAt } = slot;
    const seed = randomInt(2 ** 32);
    return { runId: run.id, slotMs: plannedAt.getTime(), method, endpoint: target, credentials, seed };
  } catch (error) {
    if (!(error instanceof StashlightError)) throw error;
    return error.message;
  }
}

function resultOf(end: RunEnd, lease: SlotLease): RunResult {
  const { sampleCount, failureCount, sentence } = end;
  const report = reportOf(end);
  if (end.state === "cancelled") {
    const why =
      lease.endReason === "cancelled" ? `Cancelled by ${lease.cancelledBy}` : "The worker was stopped";
    const state = lease.endReason === "cancelled" ? "cancelled" : "interrupted";
    return { state, outcome: `${why} after ${sampleCount} samples.`, report };
  }
  if (end.state !== "succeeded") return { state: end.state, outcome: sentence, report };
  if (sampleCount > 0 && failureCount === sampleCount) {
    return { state: "failed", outcome: `All ${sampleCount} operations failed.`, report };
  }
  const failures = failureCount === 0 ? "none" : failureCount;
  return { state: "succeeded", outcome: `${sampleCount} samples, ${failures} of them failed.`, report };
}

function reportOf({ isContaminated, flags, results, openedConnectionCount, cpu }: RunEnd): BenchmarkReport {
  return {
    isContaminated,
    flags: flags.map((flag) => ({ ...flag })),
    results: results.map((result) => ({ ...result })),
    openedConnectionCount,
    cpu,
  };
}

async function endSlot(
  { scheduleId, plannedAt, runs, planId }: ClaimedSlot,
  lease: SlotLease,
  results: readonly RunResult["state"][],
): Promise<void> {
  const where = { scheduleId_plannedAt: { scheduleId, plannedAt } };
  await lease.write(async (tx, finishedAt) => {
    if (lease.endReason === "stopped") {
      return interruptSlot(tx, { scheduleId, plannedAt }, "the worker was stopped", finishedAt);
    }
    if (lease.endReason === null && results.includes("interrupted")) {
      return interruptSlot(tx, { scheduleId, plannedAt }, "a process that measured was lost", finishedAt);
    }
    if (lease.endReason === "cancelled") {
      const outcome = `Cancelled by ${lease.cancelledBy}.`;
      await tx.benchmarkRun.updateMany({
        where: { planId, slotAt: plannedAt, state: "queued" },
        data: { state: "cancelled", outcome, finishedAt },
      });
      await tx.scheduleRun.update({
        where,
        data: { state: "failed", outcome, finishedAt, leaseUntil: null },
      });
      return;
    }
    const failedCount = results.filter((state) => state === "failed").length;
    const outcome =
      failedCount === 0
        ? `${runs.length} endpoints measured.`
        : `${failedCount} of ${runs.length} endpoints could not be measured.`;
    const state = failedCount === 0 ? "succeeded" : "failed";
    await tx.scheduleRun.update({ where, data: { state, outcome, finishedAt, leaseUntil: null } });
  });
}
