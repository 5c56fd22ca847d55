/**
 * Loaded into an agent with `--import`: appends a line of JSON with the process's memory to a file in the folder that
 * STASHLIGHT_SOAK_FOLDER names, every five seconds. The file is named for the process's id.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MemorySample } from "./memory-sample.ts";

const EVERY_MS = 5000;

const file = join(process.env.STASHLIGHT_SOAK_FOLDER ?? ".", `memory-${process.pid}.jsonl`);

function takeSample(): MemorySample {
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  const status = readFileSync("/proc/self/status", "utf8");
  return {
    seconds: process.uptime(),
    residentBytes: rss,
    anonymousBytes: Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]) * 1024,
    heapUsedBytes: heapUsed,
    heapTotalBytes: heapTotal,
    externalBytes: external,
    arrayBuffersBytes: arrayBuffers,
  };
}

setInterval(() => appendFileSync(file, `${JSON.stringify(takeSample())}\n`), EVERY_MS).unref();
