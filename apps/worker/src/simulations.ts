/** Simulations: one at a time, on a thread that costs a processor while it runs. */
import { hostname } from "node:os";
import type { Platform } from "@stashlight/services/platform";
import { runNextSimulation, type Simulator, threadSimulator } from "@stashlight/services/simulation";

/** What is asked of a run that goes on: progress every second, and an end within one. */
const beatMs = 500;
const claimant = `${hostname()} ${process.pid}`;

export async function simulateNext(
  platform: Platform,
  stopping: AbortSignal,
  simulator: Simulator = threadSimulator,
): Promise<void> {
  await runNextSimulation(platform, { claimant, simulator, beatMs, stopping });
}
