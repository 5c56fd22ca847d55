/** Entry point of the thread that runs a scenario. */
import assert from "node:assert/strict";
import { parentPort, workerData } from "node:worker_threads";
import { type ScenarioOptions, simulateScenario } from "@stashlight/timing-simulation";
import type { FromThread } from "./runner.ts";

const PROGRESS_EVERY_MS = 250;

assert(parentPort, "This file runs as a thread.");
const port = parentPort;
const send = (message: FromThread) => port.postMessage(message);
const options: ScenarioOptions = workerData;
let reportedMs = 0;

try {
  const before = process.threadCpuUsage();
  const result = simulateScenario(options, {
    onProgress: (progress) => {
      const nowMs = performance.now();
      if (nowMs - reportedMs < PROGRESS_EVERY_MS) return;
      reportedMs = nowMs;
      send({ type: "progress", progress });
    },
  });
  const { user, system } = process.threadCpuUsage(before);
  send({ type: "done", run: { result, processorSeconds: (user + system) / 1e6 } });
} catch (error) {
  send({ type: "failed", reason: error instanceof Error ? error.message : String(error) });
}
