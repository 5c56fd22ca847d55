/** Disk cost of a day without the ingest to an agent: windows as agents record them, through spool and folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createRecorder,
  encodeBatch,
  openSpoolFolder,
  type RecordedWindow,
  Spool,
} from "@stashlight/telemetry";
import type { Measurement } from "../measurement.ts";
import { createRandom, WINDOW_MS } from "./fleet.ts";

const WINDOWS_A_DAY = 86_400_000 / WINDOW_MS;
/** Windows of one hour. */
const WINDOWS_WRITTEN = WINDOWS_A_DAY / 24;
const SAMPLES = 500;
const PODS = 20;
const SPOOL_MEGABYTES = 64;

/** Generator of an agent's windows; each call records the events of one. */
type Agent = (recorder: ReturnType<typeof createRecorder>, draw: Draw) => void;

interface Draw {
  /** Seconds around this median, distributed like latencies. */
  latency(median: number): number;
  whole(max: number): number;
}

const driveNames = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${letter}${i}`);

/** Eight histograms and twenty gauges per window. */
const typical: Agent = (recorder, draw) => {
  for (const device of driveNames("s", 4)) {
    const drive = { tier: "stash" as const, device, modelled: undefined };
    const fsync = recorder.histogram("stashlight_fsync_seconds", drive);
    const written = recorder.histogram("stashlight_shard_write_seconds", drive);
    for (let i = 0; i < SAMPLES; i += 1) {
      fsync.record(draw.latency(0.0009));
      written.record(draw.latency(0.0021));
    }
    const labels = { stash: "stash-1", device, modelled: undefined };
    recorder.gauge("stashlight_stash_used_bytes", labels).set(draw.whole(1e9));
    recorder.gauge("stashlight_stash_live_bytes", labels).set(draw.whole(1e9));
    recorder.gauge("stashlight_stash_dead_bytes", labels).set(draw.whole(1e9));
    recorder.gauge("stashlight_stash_free_segments", labels).set(draw.whole(100));
    recorder.gauge("stashlight_stash_oldest_unpurged_seconds", labels).set(draw.whole(1e6) / 1e5);
  }
};

/** All metrics of a stash node with this number of drives. */
const stash =
  (driveCount: number): Agent =>
  (recorder, draw) => {
    for (const device of driveNames("s", driveCount)) {
      const drive = { tier: "stash" as const, device, modelled: undefined };
      const labels = { stash: "stash-1", device, modelled: undefined };
      const histograms = [
        recorder.histogram("stashlight_fsync_seconds", drive),
        recorder.histogram("stashlight_shard_write_seconds", drive),
        recorder.histogram("stashlight_purge_lag_seconds", labels),
        recorder.histogram("stashlight_commit_batch_records", labels),
      ];
      for (let i = 0; i < SAMPLES; i += 1)
        for (const [at, each] of histograms.entries()) each.record(draw.latency(0.001 * 4 ** at));
      recorder.gauge("stashlight_drive_running", drive).set(1);
      recorder.gauge("stashlight_stash_capacity_bytes", labels).set(1e12);
      for (const metric of [
        "stashlight_stash_used_bytes",
        "stashlight_stash_live_bytes",
        "stashlight_stash_dead_bytes",
        "stashlight_stash_free_segments",
        "stashlight_stash_oldest_unpurged_seconds",
      ] as const)
        recorder.gauge(metric, labels).set(draw.whole(1e9));
      for (let pod = 0; pod < PODS; pod += 1) {
        const pods = { ...labels, pod: `p${pod}` };
        recorder.gauge("stashlight_stash_unpurged_shards", pods).set(draw.whole(100));
      }
      for (const metric of [
        "stashlight_shards_written_total",
        "stashlight_shard_written_bytes_total",
        "stashlight_device_writes_total",
        "stashlight_device_written_bytes_total",
      ] as const)
        recorder.counter(metric, drive).add(draw.whole(1e6));
      recorder.counter("stashlight_purges_accepted_total", labels).add(draw.whole(500));
    }
  };

export async function benchSpool(say: (line: string) => void): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  for (const [name, agent] of [
    ["24 h offline: 8 histograms, 20 gauges", typical],
    ["24 h offline: stash node, 3 drives, all of it", stash(3)],
    ["24 h offline: stash node, 12 drives, all of it", stash(12)],
  ] as const) {
    const { spooledBytes, batchBytes } = await measureDay(agent);
    say(
      `${name}: ${(batchBytes / 1000).toFixed(1)} kB a batch, ${(spooledBytes / 1000).toFixed(1)} kB in the spool; ` +
        `${SPOOL_MEGABYTES} MB hold ${((SPOOL_MEGABYTES * 1e6 * 24) / (spooledBytes * WINDOWS_A_DAY)).toFixed(0)} h.`,
    );
    const against = { name: `${SPOOL_MEGABYTES} MB`, value: SPOOL_MEGABYTES };
    measured.push({ name, value: (spooledBytes * WINDOWS_A_DAY) / 1e6, unit: "MB", against });
  }
  return measured;
}

/** Bytes of a batch, uncompressed and as stored in the spool. */
async function measureDay(agent: Agent): Promise<{ spooledBytes: number; batchBytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-bench-spool-"));
  try {
    let nowMs = 1_800_000_000_000;
    const recorder = createRecorder({ nowMs: () => nowMs });
    const spool = await Spool.open({
      files: await openSpoolFolder(folder),
      bytesMax: 2 ** 40,
      ageMsMax: 86_400_000,
      segmentBytesMax: 262_144,
      nowMs: () => nowMs,
    });
    const draw = createDraw();
    let batchBytes = 0;
    for (let sequence = 1; sequence <= WINDOWS_WRITTEN; sequence += 1) {
      agent(recorder, draw);
      nowMs += WINDOW_MS;
      const window: RecordedWindow = recorder.takeWindow();
      const nodeId = "0f4b1c9e-6d0e-4f0e-9a3b-2b8f6f0c1d2e";
      const payload = encodeBatch({ nodeId, bootId: 7, sequence, window, gaps: [] });
      batchBytes += payload.length;
      await spool.append({ startMs: window.startMs, endMs: window.endMs, payload });
    }
    return { spooledBytes: spool.bytes / WINDOWS_WRITTEN, batchBytes: batchBytes / WINDOWS_WRITTEN };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Draws latencies from a prepared pool, since random numbers cost more than the work measured. */
function createDraw(): Draw {
  const random = createRandom(11);
  const factors = Float64Array.from({ length: 65_536 }, () => {
    const normal = Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
    return Math.exp(0.5 * normal);
  });
  return {
    latency: (median) => median * (factors[Math.floor(random() * factors.length)] as number),
    whole: (max) => Math.floor(random() * max),
  };
}
