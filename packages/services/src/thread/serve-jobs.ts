import assert from "node:assert/strict";
import { parentPort } from "node:worker_threads";

/** The thread's side of a `JobThread`: processes one job after another, and answers each with its result or error. */
export function serveJobs<Job, Result>(perform: (job: Job) => Result): void {
  assert(parentPort, "This file runs as a thread.");
  const port = parentPort;
  port.on("message", ({ id, job }: { id: number; job: Job }) => {
    try {
      port.postMessage({ id, result: perform(job) });
    } catch (error) {
      const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
      port.postMessage({ id, failure });
    }
  });
}
