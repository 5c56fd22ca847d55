/** Processes seeds in a separate thread, optionally with a mutant installed in the modules that it loads. */
import assert from "node:assert/strict";
import { parentPort, workerData } from "node:worker_threads";
import type { RunOptions } from "../options.ts";
import type { Examination } from "./examine.ts";
import type { Explanation, Explicable } from "./explain.ts";

export interface WorkerSettings {
  readonly mutantName: string | null;
}

export type Task =
  | { readonly type: "examine"; readonly options: RunOptions; readonly isTwice: boolean }
  | ({ readonly type: "explain" } & Explicable)
  | { readonly type: "trace"; readonly options: RunOptions };

export type TaskResult<T extends Task["type"]> = T extends "examine"
  ? Examination
  : T extends "explain"
    ? Explanation
    : string;

/** Must be installed before the first module of the write path is loaded. */
async function prepare({ mutantName }: WorkerSettings): Promise<() => boolean> {
  if (mutantName === null) return () => true;
  const { installMutant, mutantNamed } = await import("../mutants/install-mutant.ts");
  return installMutant(mutantNamed(mutantName));
}

const wasLoaded = await prepare(workerData as WorkerSettings);
const [{ examine }, { explain, trace }] = await Promise.all([import("./examine.ts"), import("./explain.ts")]);
assert(wasLoaded(), "The module that the mutant changes was not loaded.");

const port = parentPort;
assert(port !== null, "This file runs as a worker.");
port.on("message", (task: Task) => {
  if (task.type === "examine") port.postMessage(examine(task.options, task.isTwice));
  else if (task.type === "explain") port.postMessage(explain(task));
  else port.postMessage(trace(task.options));
});
