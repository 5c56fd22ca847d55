/**
 * Runs the benchmarks of this vantage point, one slot at a time, and between slots deletes the objects that earlier
 * slots left.
 */
import { hostname } from "node:os";
import {
  claimSlot,
  cleanLeftovers,
  executeSlot,
  localRunner,
  type Runner,
} from "@stashlight/services/benchmark";
import type { Platform } from "@stashlight/services/platform";

export interface RunNextOptions {
  stopping: AbortSignal;
  onError: (error: unknown) => void;
  runner?: Runner;
  beatMs?: number;
}

const beatMsDefault = 1000;
const claimant = `${hostname()} ${process.pid}`;

/** Runs the next due slot to its end, if there is one. */
export async function runNextBenchmark(platform: Platform, options: RunNextOptions): Promise<void> {
  const { stopping, onError, runner = localRunner, beatMs = beatMsDefault } = options;
  const slot = await claimSlot(platform, { vantageNodeId: null, claimant, random: Math.random });
  if (slot === null) {
    await cleanLeftovers(platform, null, runner, stopping);
    return;
  }
  await executeSlot(platform, slot, { runner, stopping, beatMs, onError });
}
