/** Batches like those of a fleet of stash nodes: eight histograms and a hundred samples per window each. */
import { randomUUID } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import type { ReceivedBatch } from "@stashlight/services/metrics/ingest";
import {
  decodeBuckets,
  ExponentialHistogram,
  encodeBatch,
  type PackedHistogram,
  packHistogram,
} from "@stashlight/telemetry";

export const WINDOW_MS = 10_000;
const DRIVES = ["s0", "s1", "s2", "s3"];
const PODS = 13;
const SAMPLES = 500;

export interface Fleet {
  readonly nodeIds: readonly string[];
  /** Batch of every node at the end of a window. */
  batches(endMs: number): ReceivedBatch[];
}

/** A pseudo-random number, the same in each run. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

export function createFleet(nodeCount: number): Fleet {
  const nodeIds = Array.from({ length: nodeCount }, () => randomUUID());
  const random = createRandom(7);
  let sequence = 0;
  const logNormal = (median: number): number => {
    const normal = Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
    return median * Math.exp(0.5 * normal);
  };
  const drawHistogram = (median: number): PackedHistogram => {
    const histogram = new ExponentialHistogram();
    for (let i = 0; i < SAMPLES; i += 1) histogram.record(logNormal(median));
    return packHistogram(histogram.content());
  };
  // Draws windows from a prepared pool, since random numbers cost more than the work measured.
  const drawn = Array.from({ length: 400 }, (_, i) => drawHistogram(i % 2 === 0 ? 0.0009 : 0.0021));
  const draw = (): PackedHistogram => drawn[Math.floor(random() * drawn.length)] as PackedHistogram;

  const makeBatch = (nodeId: string, index: number, endMs: number): ReceivedBatch => {
    const stash = `n${index}`;
    const histograms = DRIVES.flatMap((device) => [
      { metric: "stashlight_fsync_seconds" as const, labels: { tier: "stash", device }, histogram: draw() },
      {
        metric: "stashlight_shard_write_seconds" as const,
        labels: { tier: "stash", device },
        histogram: draw(),
      },
    ]);
    const level = () => Math.floor(random() * 1e9);
    const gauges = DRIVES.flatMap((device) => [
      { metric: "stashlight_stash_used_bytes" as const, labels: { stash, device }, value: level() },
      { metric: "stashlight_stash_live_bytes" as const, labels: { stash, device }, value: level() },
      ...Array.from({ length: PODS }, (_, pod) => ({
        metric: "stashlight_stash_unpurged_shards" as const,
        labels: { stash, device, pod: `p${pod}` },
        value: Math.floor(random() * 100),
      })),
    ]);
    const increase = () => Math.floor(random() * 1e6);
    const counters = DRIVES.flatMap((device) => {
      const labels = { tier: "stash", device };
      const of = <Name extends string>(metric: Name) => ({
        metric,
        labels,
        total: 1e9,
        increase: increase(),
      });
      return [
        of("stashlight_shards_written_total" as const),
        of("stashlight_shard_written_bytes_total" as const),
        of("stashlight_shards_recovered_total" as const),
        of("stashlight_shards_repaired_total" as const),
        of("stashlight_fsync_errors_total" as const),
        of("stashlight_drive_failures_total" as const),
        of("stashlight_device_writes_total" as const),
        of("stashlight_device_written_bytes_total" as const),
      ];
    });
    const window = { startMs: endMs - WINDOW_MS, endMs, histograms, gauges, counters };
    return { nodeId, isSimulated: true, batch: { nodeId: stash, bootId: 1, sequence, window, gaps: [] } };
  };
  return {
    nodeIds,
    batches: (endMs) => {
      sequence += 1;
      return nodeIds.map((nodeId, index) => makeBatch(nodeId, index, endMs));
    },
  };
}

/** Encodes the batch as an agent sends it. */
export function encodeReceivedBatch({ batch }: ReceivedBatch): Uint8Array {
  const histograms = batch.window.histograms.map(({ histogram, ...series }) => ({
    ...series,
    histogram: ExponentialHistogram.from({ ...histogram, buckets: decodeBuckets(histogram.buckets) }),
  }));
  return zstdCompressSync(encodeBatch({ ...batch, window: { ...batch.window, histograms } }));
}

/** Counts in one batch. */
export const HISTOGRAMS_A_BATCH = DRIVES.length * 2;
export const SAMPLES_A_BATCH = DRIVES.length * (2 + PODS + 8);
