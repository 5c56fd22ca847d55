/** The thread on which large answers are merged: jobs in, what they make or why they failed out. */
import assert from "node:assert/strict";
import { parentPort } from "node:worker_threads";
import { type MergeJob, merge } from "./merge.ts";

assert(parentPort, "This file runs as a thread.");
const port = parentPort;

port.on("message", ({ id, job }: { id: number; job: MergeJob }) => {
  try {
    port.postMessage({ id, merged: merge(job) });
  } catch (error) {
    port.postMessage({
      id,
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
});
