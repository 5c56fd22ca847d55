/** Runs simulations: one at a time, on a thread that takes a whole processor. */
import { hostname } from "node:os";
import type { Platform } from "@stashlight/services/platform";
import { runNextSimulation, type Simulator, threadSimulator } from "@stashlight/services/simulation";

/** Interval at which a running simulation reports its progress, and looks for a cancellation. */
const beatMs = 500;
const claimant = `${hostname()} ${process.pid}`;

export async function simulateNext(
  platform: Platform,
  stopping: AbortSignal,
  simulator: Simulator = threadSimulator,
): Promise<void> {
  await runNextSimulation(platform, { claimant, simulator, beatMs, stopping });
}
