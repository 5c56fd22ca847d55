/**
 * A thread that reads one file. The work takes seconds, and its memory is freed with the thread. The thread gets the
 * file when it starts, reports progress, and ends with the result; ending the thread cancels the read.
 */
import assert from "node:assert/strict";
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type { ImportInput, ImportProgress } from "@stashlight/benchmark-formats";
import { type PreparedImport, readImport } from "./read-import.ts";

export type ImportMessage =
  | { readonly type: "progress"; readonly progress: ImportProgress }
  | { readonly type: "read"; readonly result: PreparedImport };

const PROGRESS_EVERY_MS = 100;
/**
 * Leaves this thread a third of another's share while processors are busy; at the lowest priority it would get nothing.
 */
const NICENESS = 5;

assert(parentPort, "This file runs as a thread.");
const port = parentPort;
const send = (message: ImportMessage, moved: ArrayBuffer[] = []): void => port.postMessage(message, moved);

giveWay();
let toldAtMs = 0;
const input: ImportInput = workerData;
const result = await readImport(input, (progress) => {
  const nowMs = performance.now();
  if (nowMs - toldAtMs < PROGRESS_EVERY_MS) return;
  toldAtMs = nowMs;
  send({ type: "progress", progress });
});
send({ type: "read", result }, result.ok ? transferredBuffers(result) : []);

/** Gives requests priority over files while all processors are busy. On Linux each thread has its own priority. */
function giveWay(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), NICENESS);
  } catch {
    // The file is read even without the lower priority.
  }
}

/** Buffers to transfer to the other thread instead of copying them. */
function transferredBuffers({ runs }: Extract<PreparedImport, { ok: true }>): ArrayBuffer[] {
  return runs.flatMap(({ groups }) =>
    groups.flatMap(({ latencyMs, failedAt, packed }) => [latencyMs.buffer, failedAt.buffer, packed.buffer]),
  );
}
