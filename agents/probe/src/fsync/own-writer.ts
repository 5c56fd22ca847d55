/**
 * Built-in writer: a record and an fdatasync, repeated over existing file content. The calls are synchronous, because
 * the thread pool's latency would count as the drive's.
 */
import { closeSync, constants, fdatasyncSync, openSync, writeSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import type { FsyncFigure } from "@stashlight/contracts/probe";
import { quantileOfSorted, samplesNeeded } from "@stashlight/stats/rank";
import packageJson from "../../package.json" with { type: "json" };
import type { FsyncTool, MeasureInput } from "./fio.ts";

/** Interval between checks for a stop request. */
const BREATH_MS = 100;

export const ownWriter: FsyncTool = { name: "stashlight", version: packageJson.version, measure };

async function measure({
  path,
  fileBytes,
  recordBytes,
  seconds,
  signal,
}: MeasureInput): Promise<FsyncFigure> {
  const record = Buffer.alloc(recordBytes, "record");
  const file = openSync(path, constants.O_WRONLY);
  const syncUs: number[] = [];
  const startMs = performance.now();
  const endMs = startMs + seconds * 1_000;
  let nowMs = startMs;
  try {
    let breathMs = startMs + BREATH_MS;
    for (let at = 0; nowMs < endMs; at = at + 2 * recordBytes > fileBytes ? 0 : at + recordBytes) {
      writeSync(file, record, 0, recordBytes, at);
      const writtenMs = performance.now();
      fdatasyncSync(file);
      nowMs = performance.now();
      syncUs.push((nowMs - writtenMs) * 1_000);
      if (nowMs < breathMs) continue;
      await setImmediate();
      signal.throwIfAborted();
      breathMs = nowMs + BREATH_MS;
    }
  } finally {
    closeSync(file);
  }
  const elapsedSeconds = (nowMs - startMs) / 1_000;
  syncUs.sort((a, b) => a - b);
  return {
    recordBytes,
    syncsPerSecond: syncUs.length / elapsedSeconds,
    p50Us: quantileOrNull(syncUs, 500_000),
    p99Us: quantileOrNull(syncUs, 990_000),
    n: syncUs.length,
    seconds: elapsedSeconds,
  };
}

/** Returns null with too few samples, as everywhere in the product. */
const quantileOrNull = (sorted: readonly number[], perMillion: number): number | null =>
  sorted.length < samplesNeeded(perMillion) ? null : quantileOfSorted(sorted, perMillion);
