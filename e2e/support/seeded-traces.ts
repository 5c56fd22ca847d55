/** Sampled uploads of a coordinator, stored as the ingest stores them. */
import { randomUUID } from "node:crypto";
import type { UploadTraceData } from "@stashlight/contracts/upload";
import type { Platform } from "@stashlight/services/platform";
import { acceptTraces } from "@stashlight/services/trace";

const SHARD_COUNT = 20;
const QUORUM = 19;

export interface SeededTraces {
  /** Upload by the stash path that waited for the stash. */
  readonly slowestId: string;
  /** Upload by the direct path. */
  readonly directId: string;
  readonly count: number;
}

const nthOf = (values: readonly number[], n: number): number =>
  values.toSorted((a, b) => a - b)[n - 1] ?? Number.POSITIVE_INFINITY;

function stashTrace(uploadId: string, startedAtMs: number, slowStashUs: number): UploadTraceData {
  const podsUs = Array.from({ length: SHARD_COUNT }, (_, i) => 2_400 + ((i * 733) % 2_900));
  const stashUs = Array.from({ length: SHARD_COUNT }, (_, i) => 3_800 + ((i * 1_291) % 3_600));
  // Two slow devices: one completes the quorum, and the other comes after it.
  stashUs[7] = slowStashUs;
  stashUs[11] = slowStashUs * 1.4;
  const podQuorumUs = nthOf(podsUs, QUORUM);
  const stashQuorumUs = nthOf(stashUs, QUORUM);
  const quorumUs = Math.max(podQuorumUs, stashQuorumUs);
  return {
    uploadId,
    bucket: "photos",
    sizeBytes: 262_144,
    path: "stash",
    result: "stored",
    startedAtMs,
    totalUs: quorumUs + 120,
    keptBecause: ["slow", "slowest"],
    verify: { startUs: null, endUs: null },
    encode: { startUs: -1_900, endUs: -300 },
    podQuorumUs,
    stashQuorumUs,
    quorumUs,
    shards: podsUs.map((podWrittenUs, index) => ({
      index,
      podSentUs: 20 * index,
      podWrittenUs: index === 15 ? null : podWrittenUs,
      stashSentUs: 20 * index + 10,
      stashDurableUs: Math.round(stashUs[index] ?? 0),
      flushedUs: null,
      purgedUs: null,
    })),
  };
}

function directTrace(uploadId: string, startedAtMs: number, totalUs: number): UploadTraceData {
  const trace = stashTrace(uploadId, startedAtMs, 8_000);
  return {
    ...trace,
    path: "direct",
    sizeBytes: 8_388_608,
    totalUs,
    stashQuorumUs: null,
    quorumUs: totalUs - 100,
    shards: trace.shards.map((shard) => ({
      ...shard,
      stashSentUs: null,
      stashDurableUs: null,
      flushedUs: 24_000 + 340 * shard.index,
    })),
  };
}

/**
 * Slowest stored upload: the seeded one must be slower than all others, because specs of a worker share an installation
 * and some agents measure real uploads.
 */
async function slowestStoredUs(platform: Platform): Promise<number> {
  const { rows } = await platform.metrics.query<{ seconds: number | null }>(
    "SELECT max(total_seconds)::float8 AS seconds FROM metric.upload_trace",
  );
  return Math.round((rows[0]?.seconds ?? 0) * 1e6);
}

export async function seedTraces(platform: Platform, nodeId: string, endMs: number): Promise<SeededTraces> {
  const [slowestId, directId] = [randomUUID(), randomUUID()];
  const storedUs = await slowestStoredUs(platform);
  const usual = Array.from({ length: 30 }, (_, i) =>
    stashTrace(randomUUID(), endMs - (i + 1) * 50_000, 7_400 + 90 * i),
  );
  const traces = [
    ...usual,
    stashTrace(slowestId, endMs - 300_000, Math.max(41_000, storedUs + 500)),
    directTrace(directId, endMs - 200_000, Math.max(31_000, storedUs + 250)),
  ];
  await acceptTraces({ client: platform.metrics, nodeId, traces, nowMs: endMs });
  return { slowestId, directId, count: traces.length };
}
