/**
 * An agent without its drives: work at a given rate of syncs per second, with or without the measuring and reporting
 * part. Started by agent-cost.ts, which requests the process's cost so far over the channel.
 */
import fs from "node:fs";
import { open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import type { ReportingOptions } from "@stashlight/node-runtime/report";

export interface AgentTask {
  readonly isMeasured: boolean;
  readonly syncsPerSecond: number;
  readonly driveCount: number;
  readonly ingest: string;
  readonly stateFolder: string;
}

export interface AgentCost {
  readonly residentBytes: number;
  readonly cpuUs: number;
  /** Syncs of any file, by any part of the process. */
  readonly syncCount: number;
}

const TICK_MS = 10;
const SCRAPE_MS = 15_000;

let syncCount = 0;

/** Counts every way in which a file can be synced. */
async function countSyncs(): Promise<void> {
  const handle = await open("/dev/null");
  const ofHandles = Object.getPrototypeOf(handle) as Record<string, unknown>;
  await handle.close();
  const count = (of: Record<string, unknown>, name: string): void => {
    const original = of[name] as (...all: unknown[]) => unknown;
    of[name] = function counted(this: unknown, ...all: unknown[]): unknown {
      syncCount += 1;
      return original.apply(this, all);
    };
  };
  for (const name of ["sync", "datasync"]) count(ofHandles, name);
  for (const name of ["fsync", "fsyncSync", "fdatasync", "fdatasyncSync"])
    count(fs as unknown as Record<string, unknown>, name);
  syncBuiltinESMExports();
}

/** Returns a function that records one drive sync, with the same handles as an agent's drive. */
async function startMeasuring(task: AgentTask): Promise<(drive: number, seconds: number) => void> {
  const {
    createNodeRecorder,
    metricsPage: metricsOf,
    startReporting,
  } = await import("@stashlight/node-runtime/report");
  const recorder = createNodeRecorder("stash", { snapshots: () => [] });
  const drives = Array.from({ length: task.driveCount }, (_, i) => {
    const labels = { tier: "stash" as const, device: `s${i}`, modelled: undefined };
    const onStash = { stash: "stash-1", device: `s${i}`, modelled: undefined };
    return {
      histograms: [
        recorder.histogram("stashlight_fsync_seconds", labels),
        recorder.histogram("stashlight_shard_write_seconds", labels),
        recorder.histogram("stashlight_purge_lag_seconds", onStash),
        recorder.histogram("stashlight_commit_batch_records", onStash),
      ],
      counters: [
        recorder.counter("stashlight_shards_written_total", labels),
        recorder.counter("stashlight_shard_written_bytes_total", labels),
        recorder.counter("stashlight_purges_accepted_total", onStash),
      ],
    };
  });
  const options = {
    file: { name: "bench", telemetry: { ingest: task.ingest, windowSeconds: 10 } },
    node: { id: "stash-1", role: "stash", stateFolder: task.stateFolder },
    bootId: 1,
    recorder,
    enrolmentTokenFile: null,
    // Discards log lines, which an agent writes with or without monitoring.
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  };
  startReporting(options as unknown as ReportingOptions);
  setInterval(() => metricsOf(recorder)?.(undefined), SCRAPE_MS);
  return (drive, seconds) => {
    const { histograms, counters } = drives[drive] as (typeof drives)[number];
    for (const each of histograms) each.record(seconds);
    for (const each of counters) each.add(1);
  };
}

process.once("message", async (task: AgentTask) => {
  await countSyncs();
  const record = task.isMeasured ? await startMeasuring(task) : () => {};
  const startedMs = performance.now();
  let doneCount = 0;
  setInterval(() => {
    const dueCount = ((performance.now() - startedMs) / 1000) * task.syncsPerSecond;
    for (; doneCount < dueCount; doneCount += 1)
      record(doneCount % task.driveCount, 0.0005 * (1 + Math.random() ** 6 * 100));
  }, TICK_MS);
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    const cost: AgentCost = {
      residentBytes: process.memoryUsage.rss(),
      cpuUs: user + system,
      syncCount,
    };
    process.send?.(cost);
  });
  process.send?.("started");
});
process.on("disconnect", () => process.exit(0));
