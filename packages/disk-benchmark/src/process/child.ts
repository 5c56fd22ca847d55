/** Measuring process: fills the test file, runs the cells, and ends when its parent does. */
import { randomFillSync } from "node:crypto";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { alignedBuffers } from "./aligned.ts";
import { Bucket } from "./bucket.ts";
import type { CellClock } from "./cell-result.ts";
import { failureSentence } from "./failure.ts";
import type { FromMeasuring, MeasuringJob, ToMeasuring } from "./messages.ts";
import { Crew, isForCrew } from "./request-threads.ts";
import { runCell } from "./run-cell.ts";

const FILL_BYTES = 1_048_576;
/** Interval of reports to the parent that the drive answers or, during a rest, that no request is in flight. */
const BEAT_MS = 1_000;

function send(message: FromMeasuring): void {
  process.send?.(message);
}

/** Resolves once the message has been sent, because a hanging request may block everything behind it. */
function sendAsked(): Promise<void> {
  return new Promise((resolve) => {
    process.send?.({ type: "asked" } satisfies FromMeasuring, () => resolve());
  });
}

const clock: CellClock = { nowMs: () => performance.now(), wait: (ms) => delay(ms) };

async function run(job: MeasuringJob): Promise<void> {
  const direct = job.isDirect ? constants.O_DIRECT : 0;
  const crew = new Crew();
  await sendAsked();
  const descriptor = openSync(job.path, constants.O_RDWR | direct);
  try {
    let writtenBytes = await fill(descriptor, job);
    if (job.cells.length === 0) return;
    // Chosen once, because a crew of threads takes memory. A modelled limit has to admit every request itself, so it
    // uses none.
    const ofCrew = new Set(job.bucket === null ? job.cells.filter(isForCrew) : []);
    const ofPool = job.cells.filter((cell) => !ofCrew.has(cell));
    const deepest = Math.max(0, ...ofPool.map(({ queueDepth }) => queueDepth));
    const largest = Math.max(0, ...ofPool.map(({ blockBytes }) => blockBytes));
    const buffers = alignedBuffers(deepest, largest);
    for (const buffer of buffers) randomFillSync(buffer);
    const bucket = job.bucket === null ? null : new Bucket(job.bucket, performance.now());
    let doneSeconds = 0;
    for (const [at, cell] of job.cells.entries()) {
      if (writtenBytes >= job.writtenBytesMax && cell.readShare < 1) continue;
      if (at > 0) await rest(job.coolDownSeconds, { doneSeconds, writtenBytes });
      const before = writtenBytes;
      const measure = ofCrew.has(cell) ? (...of: Parameters<typeof runCell>) => crew.run(...of) : runCell;
      const result = await measure(cell, {
        descriptor,
        offsetBytes: job.offsetBytes,
        fileBytes: job.fileBytes,
        buffers,
        clock,
        seed: (job.seed + at) >>> 0,
        bucket,
        writableBytes: job.writtenBytesMax - before,
        isOver: (written) => before + written >= job.writtenBytesMax && cell.readShare < 1,
        onStarting: (started, wanted) => send({ type: "starting", started, wanted }),
        onAsked: sendAsked,
        onSecond: (second, written) =>
          send({ type: "progress", doneSeconds: doneSeconds + second, writtenBytes: before + written }),
      });
      writtenBytes += result.writtenBytes;
      doneSeconds += cell.secondsMax + job.coolDownSeconds;
      send({ type: "cell", result });
    }
  } finally {
    await crew.end();
    closeSync(descriptor);
  }
}

/** Writes the whole file, so that no cell reads unwritten blocks, which a drive answers without reading. */
async function fill(descriptor: number, { offsetBytes, fileBytes }: MeasuringJob): Promise<number> {
  const [buffer] = alignedBuffers(1, FILL_BYTES) as [Uint8Array];
  let toldMs = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < fileBytes; at += FILL_BYTES) {
    randomFillSync(buffer);
    writeSync(descriptor, buffer, 0, Math.min(FILL_BYTES, fileBytes - at), offsetBytes + at);
    if (performance.now() < toldMs + BEAT_MS) continue;
    toldMs = performance.now();
    send({ type: "progress", doneSeconds: 0, writtenBytes: at });
    await delay(0);
  }
  return fileBytes;
}

async function rest(
  seconds: number,
  progress: { readonly doneSeconds: number; readonly writtenBytes: number },
): Promise<void> {
  const endMs = performance.now() + seconds * 1_000;
  for (;;) {
    const leftMs = endMs - performance.now();
    if (leftMs <= 0) return;
    await delay(Math.min(BEAT_MS, leftMs));
    send({ type: "progress", ...progress });
  }
}

process.on("message", ({ job }: ToMeasuring) => {
  void run(job)
    .then(() => null, failureSentence)
    .then((sentence) =>
      process.send?.({ type: "end", sentence } satisfies FromMeasuring, () => process.disconnect()),
    );
});
process.on("disconnect", () => process.exit());
send({ type: "ready" });
