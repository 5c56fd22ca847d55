/** Runs a scenario, on a thread of the worker or with a test's substitute. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { ScenarioResult } from "@stashlight/contracts/planner";
import type { ScenarioOptions, ScenarioProgress } from "@stashlight/timing-simulation";

export interface SimulatorRun {
  readonly result: ScenarioResult;
  readonly processorSeconds: number;
}

export interface SimulatorHooks {
  onProgress(progress: ScenarioProgress): void;
  /** If aborted, the run rejects at once. */
  readonly signal: AbortSignal;
}

export interface Simulator {
  run(options: ScenarioOptions, hooks: SimulatorHooks): Promise<SimulatorRun>;
}

export type FromThread =
  | { readonly type: "progress"; readonly progress: ScenarioProgress }
  | { readonly type: "done"; readonly run: SimulatorRun }
  | { readonly type: "failed"; readonly reason: string };

/** Memory needed by hundreds of thousands of open uploads. */
const HEAP_MEGABYTES_MAX = 2048;

/** Starts a thread for each run, and ends it with the run, so that no state remains. */
export const threadSimulator: Simulator = {
  run: async (options, { onProgress, signal }) => {
    signal.throwIfAborted();
    const thread = new Worker(join(import.meta.dirname, "simulator-thread.ts"), {
      workerData: options,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES_MAX },
    });
    const stop = () => void thread.terminate();
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await new Promise<SimulatorRun>((resolve, reject) => {
        thread.on("message", (message: FromThread) => {
          if (message.type === "progress") onProgress(message.progress);
          else if (message.type === "done") resolve(message.run);
          else reject(new Error(message.reason));
        });
        thread.on("error", reject);
        thread.on("exit", () => reject(new Error("The thread that simulates ended.")));
      });
    } finally {
      signal.removeEventListener("abort", stop);
      await thread.terminate();
    }
  },
};
