/**
 * Writes a record and syncs it, repeatedly, over existing file content. The calls are synchronous, because the thread
 * pool's latency would count as the drive's; a hanging drive blocks only this thread.
 */
import { closeSync, constants, fdatasyncSync, fsyncSync, openSync, unlinkSync, writeSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { parentPort, workerData } from "node:worker_threads";
import type { SyncMessage, SyncThreadData } from "./messages.ts";

const { path, fileBytes, recordBytes, everyMs } = workerData as SyncThreadData;
const FILL = "stashlight";

function send(message: SyncMessage): void {
  parentPort?.postMessage(message);
}

/**
 * Fills the file in advance, since the first sync of unwritten space includes its allocation. Some file systems do not
 * write zeros.
 */
function createFile(): number {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeSync(file, Buffer.alloc(fileBytes, FILL));
    fsyncSync(file);
    return file;
  } catch (error) {
    closeSync(file);
    unlinkSync(path);
    throw error;
  }
}

function fail(error: unknown, wasSync: boolean): void {
  const { code = "unknown", message } = error as NodeJS.ErrnoException;
  send({ type: "failed", code, message, wasSync });
  parentPort?.close();
}

function start(): void {
  const file = createFile();
  const record = Buffer.alloc(recordBytes, FILL);
  let at = 0;
  const turn = (): void => {
    let wasWritten = false;
    try {
      send({ type: "begins" });
      writeSync(file, record, 0, recordBytes, at);
      wasWritten = true;
      const startMs = performance.now();
      fdatasyncSync(file);
      send({ type: "synced", seconds: (performance.now() - startMs) / 1000 });
    } catch (error) {
      clearInterval(timer);
      closeSync(file);
      fail(error, wasWritten);
    }
    at = at + 2 * recordBytes > fileBytes ? 0 : at + recordBytes;
  };
  const timer = setInterval(turn, everyMs);
}

try {
  start();
} catch (error) {
  fail(error, false);
}
