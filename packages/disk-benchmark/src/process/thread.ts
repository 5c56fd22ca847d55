/** Thread of the measuring process: issues one synchronous request after the other until it is stopped. */
import { randomFillSync } from "node:crypto";
import { fdatasyncSync, readSync, writeSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { parentPort, workerData } from "node:worker_threads";
import { createRandom } from "@stashlight/stats/random";
import { ExponentialHistogram } from "@stashlight/telemetry/histogram";
import { alignedBuffers } from "./aligned.ts";
import { freshen } from "./freshen.ts";
import {
  ASKED,
  BLOCKS_LEFT,
  CURSOR,
  type FromThread,
  STOP,
  TALLY,
  type ThreadWork,
  type ToThread,
} from "./thread-messages.ts";

const { control, tallies, index } = workerData as {
  readonly control: Int32Array;
  readonly tallies: Float64Array;
  readonly index: number;
};
const tally = tallies.subarray(index * TALLY.length, (index + 1) * TALLY.length);
let buffer = new Uint8Array(0);

function measure({ cell, descriptor, offsetBytes, fileBytes, seed }: ThreadWork): FromThread {
  const { access, readShare, blockBytes, syncsWrites } = cell;
  const { uint32 } = createRandom(seed);
  const blocks = Math.floor(fileBytes / blockBytes);
  const latencies = { read: new ExponentialHistogram(), write: new ExponentialHistogram() };
  const readBelow = readShare * 2 ** 32;
  let stamp = 0;
  Atomics.store(control, ASKED, 1);
  while (Atomics.load(control, STOP) === 0) {
    const isRead = readShare === 1 || (readShare > 0 && uint32() < readBelow);
    if (!isRead && Atomics.sub(control, BLOCKS_LEFT, 1) <= 0) {
      Atomics.store(control, STOP, 1);
      break;
    }
    const block = access === "sequential" ? Atomics.add(control, CURSOR, 1) % blocks : uint32() % blocks;
    if (!isRead) {
      stamp += 1;
      freshen(buffer, blockBytes, stamp);
    }
    const offset = offsetBytes + block * blockBytes;
    const beganMs = performance.now();
    const bytes = isRead
      ? readSync(descriptor, buffer, 0, blockBytes, offset)
      : writeSync(descriptor, buffer, 0, blockBytes, offset);
    if (syncsWrites && !isRead) fdatasyncSync(descriptor);
    const us = (performance.now() - beganMs) * 1_000;
    if (bytes !== blockBytes) throw new Error(`a request of ${blockBytes} bytes moved ${bytes}`);
    latencies[isRead ? "read" : "write"].record(us);
    const of = isRead ? TALLY.reads : TALLY.writes;
    tally[of] = (tally[of] as number) + 1;
    tally[TALLY.us] = (tally[TALLY.us] as number) + us;
  }
  return { type: "done", read: latencies.read.content(), write: latencies.write.content() };
}

function work(work: ThreadWork): FromThread {
  try {
    return measure(work);
  } catch (error) {
    Atomics.store(control, STOP, 1);
    const { message, code } = error as NodeJS.ErrnoException;
    return { type: "failed", message, code: code ?? null };
  }
}

parentPort?.on("message", (message: ToThread) => {
  if (message.type === "prepare") {
    if (buffer.length < message.blockBytes) {
      [buffer] = alignedBuffers(1, message.blockBytes) as [Uint8Array<ArrayBuffer>];
      randomFillSync(buffer);
    }
    parentPort?.postMessage({ type: "ready" } satisfies FromThread);
    return;
  }
  parentPort?.postMessage(work(message.work));
});
