/**
 * Runs a claimed slot to its end: one endpoint after another, each recorded while it runs and cleaned up afterwards.
 */
import { randomInt } from "node:crypto";
import type { SamplerJobInput } from "@stashlight/benchmark";
import { buildRunPrefix } from "@stashlight/benchmark/run-keys";
import { StashlightError } from "@stashlight/contracts/errors";
import { MINUTE_MS } from "@stashlight/contracts/time";
import type { Core } from "../../core.ts";
import { reachEndpoint } from "../../endpoint/target.ts";
import { LeaseLostError } from "../../lease/lease.ts";
import { estimatedPrice, methodEstimate } from "../method.ts";
import type { ClaimedRun, ClaimedSlot } from "./claim.ts";
import { cleanRun } from "./clean.ts";
import { closeSlot, endRun } from "./end.ts";
import { type LeaseOptions, SlotLease } from "./lease.ts";
import { finishRun, noteBeginning, noteKeyPrefix } from "./record.ts";
import type { Runner } from "./runner.ts";

export interface ExecuteOptions extends LeaseOptions {
  runner: Runner;
  /** Aborted when the process stops: the slot is interrupted, and retried by its plan's policy. */
  stopping: AbortSignal;
}

export async function executeSlot(platform: Core, slot: ClaimedSlot, options: ExecuteOptions): Promise<void> {
  const lease = new SlotLease(platform, slot, options);
  const stop = () => lease.end("stopped");
  options.stopping.addEventListener("abort", stop, { once: true });
  if (options.stopping.aborted) stop();
  try {
    for (const run of slot.runs) {
      await waitForVault(platform, { slot, run, lease, options });
      if (lease.endReason !== null) break;
      await measure(platform, { slot, run, lease, options });
      if (lease.endReason !== "lost") await cleanRun(platform, run.id, options.runner, options.stopping);
    }
    await lease.write((tx, now) => closeSlot(tx, slot, lease.ending, now));
  } catch (error) {
    // The process that now holds the slot writes its end.
    if (!(error instanceof LeaseLostError)) throw error;
  } finally {
    options.stopping.removeEventListener("abort", stop);
    await lease.close();
  }
}

interface Measuring {
  slot: ClaimedSlot;
  run: ClaimedRun;
  lease: SlotLease;
  options: ExecuteOptions;
}

/** Time after the worker's start during which vaults that start beside it may not answer yet. */
const vaultStartMs = 2 * MINUTE_MS;

/** A run that begins before its vault answers would fail, although nothing is wrong with the vault. */
async function waitForVault(platform: Core, { run, lease, options }: Measuring): Promise<void> {
  const leftMs = platform.startedAt.getTime() + vaultStartMs - platform.now().getTime();
  if (leftMs <= 0 || lease.endReason !== null) return;
  const endpoint = await platform.db.endpoint.findUnique({ where: { id: run.endpointId ?? run.id } });
  if (endpoint === null || endpoint.kind !== "vault") return;
  try {
    const { target, credentials } = await reachEndpoint(platform, endpoint);
    const signal = AbortSignal.any([lease.signal, AbortSignal.timeout(leftMs)]);
    await options.runner.waitForAnswer({ endpoint: target, credentials, signal });
  } catch (error) {
    // The run reports why its endpoint cannot be reached.
    if (!(error instanceof StashlightError)) throw error;
  }
}

async function measure(platform: Core, measuring: Measuring): Promise<void> {
  const { run, lease, options } = measuring;
  const job = await beginRun(platform, measuring);
  if (typeof job === "string") {
    const result = { state: "failed", outcome: job } as const;
    await lease.write((tx, now) => finishRun(tx, run.id, result, now));
    return;
  }
  lease.attach(run.id);
  const end = await options.runner.run(job, {
    onSample: (sample) => lease.addSample(sample),
    onProgress: (progress) => lease.setProgress(progress),
    onManifest: (manifest) => lease.setManifest(manifest),
    signal: lease.signal,
  });
  if (lease.endReason === "lost") throw new LeaseLostError("The slot was taken while it ran.");
  await lease.write((tx, now) => endRun(tx, run.id, end, lease.ending, now));
}

/** Returns the runner's job, or a sentence about why the endpoint cannot be reached. */
async function beginRun(platform: Core, { slot, run, lease }: Measuring): Promise<SamplerJobInput | string> {
  const endpoint = await platform.db.endpoint.findUnique({ where: { id: run.endpointId ?? run.id } });
  if (endpoint === null) return "The endpoint was deleted.";
  const keyPrefix = buildRunPrefix(endpoint.prefix, run.id);
  const estimate = methodEstimate(slot.method);
  const cost = estimatedPrice(estimate, endpoint);
  await lease.write(async (tx, startedAt) => {
    const estimatedEndAt = new Date(startedAt.getTime() + estimate.seconds * 1000);
    await noteBeginning(tx, run.id, { startedAt, estimatedEndAt, cost });
  });
  try {
    const { target, credentials } = await reachEndpoint(platform, endpoint);
    await lease.write((tx) => noteKeyPrefix(tx, run.id, keyPrefix));
    const { method, plannedAt } = slot;
    const seed = randomInt(2 ** 32);
    return { runId: run.id, slotMs: plannedAt.getTime(), method, endpoint: target, credentials, seed };
  } catch (error) {
    if (!(error instanceof StashlightError)) throw error;
    return error.message;
  }
}
