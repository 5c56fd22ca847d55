/**
 * The metric store: what one process writes, against a COPY of the same bytes into the same tables; what a window and a
 * sample cost on disk; how long the chart of a day takes. And the agents' side: spool, cost, and the way to a chart.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Role } from "@stashlight/contracts";
import { openEmbeddedPostgres } from "@stashlight/db/embedded";
import {
  binaryArray,
  emptyHistogramColumns,
  type MetricClient,
  raiseWatermarks,
  replaceHistograms,
  seriesIds,
} from "@stashlight/db/metrics";
import { migrateDatabase } from "@stashlight/db/migrate";
import {
  acceptBatches,
  type Context,
  openPlatform,
  type Platform,
  queryMetric,
  runRollUp,
} from "@stashlight/services";
import { ExponentialHistogram, encodeBuckets } from "@stashlight/telemetry";
import type { Measurement } from "./measurement.ts";
import { median } from "./rounds.ts";
import { benchAgentCost } from "./telemetry/agent-cost.ts";
import { copyIn, copyOut } from "./telemetry/copy.ts";
import {
  createFleet,
  createRandom,
  HISTOGRAMS_A_BATCH,
  SAMPLES_A_BATCH,
  WINDOW_MS,
} from "./telemetry/fleet.ts";
import { benchHttp } from "./telemetry/over-http.ts";
import { benchSpool } from "./telemetry/spool.ts";

const DAY_MS = 86_400_000;
const NODES = 200;
const WINDOWS_IN_ROUND = 10;
/** An ingest takes the next requests while the database writes. */
const CALLS_IN_FLIGHT = 2;
const ROUNDS = 5;
const FLEET_NODES = 1000;
const tables = ["hist_raw", "sample_raw"] as const;

type Say = (line: string) => void;

export async function benchTelemetry(say: Say): Promise<Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "stashlight-bench-telemetry-"));
  const postgres = await openEmbeddedPostgres({ directory });
  try {
    await migrateDatabase({ ownerUrl: postgres.ownerUrl });
    const platform = openPlatform({
      kind: "ingest",
      databaseUrl: postgres.runtimeUrl,
      secret: randomUUID(),
      publicUrl: "http://bench.test",
      dataDirectory: null,
      oidc: null,
    });
    try {
      const written = await benchWriting(platform, say);
      const received = await benchHttp(platform, say);
      const read = await benchReading(platform, say);
      const agents = await benchAgentCost(platform, viewerOf(platform), say);
      return [...written, ...received, ...read, ...agents, ...(await benchSpool(say))];
    } finally {
      await platform.close();
    }
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await action();
  return performance.now() - startedMs;
}

/** Each round is written by us, copied out, taken away, and copied in again: the same rows into the same tables. */
async function benchWriting({ metrics }: Platform, say: Say): Promise<Measurement[]> {
  const fleet = createFleet(NODES);
  const nowMs = Math.floor(Date.now() / WINDOW_MS) * WINDOW_MS;
  const seconds = { ours: [] as number[], again: [] as number[], copied: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const windows = Array.from({ length: WINDOWS_IN_ROUND }, (_, i) =>
      fleet.batches(nowMs - (round * WINDOWS_IN_ROUND + i) * WINDOW_MS),
    );
    const write = () =>
      Promise.all(
        Array.from({ length: CALLS_IN_FLIGHT }, async (_, lane) => {
          for (const all of windows) {
            const batches = all.filter((_, node) => node % CALLS_IN_FLIGHT === lane);
            await acceptBatches({ client: metrics, batches, nowMs });
          }
        }),
      );
    const ours = await timed(write);
    const again = await timed(write);
    const copied = await copyAgain(metrics);
    // The first round also makes the series.
    if (round === 0) continue;
    seconds.ours.push(ours / 1000);
    seconds.again.push(again / 1000);
    seconds.copied.push(copied / 1000);
  }
  const batchCount = NODES * WINDOWS_IN_ROUND;
  say(`${batchCount} batches a round: ${HISTOGRAMS_A_BATCH} histograms and ${SAMPLES_A_BATCH} samples each.`);
  const rate = (of: readonly number[], each: number): number => (batchCount * each) / median(of);
  const { ours, again, copied } = seconds;
  const copyRate = rate(copied, HISTOGRAMS_A_BATCH);
  const disk = await diskOf(metrics, fleet, nowMs);
  return [
    {
      name: "histogram rows written, with their samples",
      value: rate(ours, HISTOGRAMS_A_BATCH),
      unit: "1/s",
      against: { name: "COPY of the same bytes", value: copyRate },
    },
    {
      name: "samples written, with their histograms",
      value: rate(ours, SAMPLES_A_BATCH),
      unit: "1/s",
      against: { name: "100,000 a second", value: 100_000 },
    },
    {
      name: "histogram rows of batches that came before",
      value: rate(again, HISTOGRAMS_A_BATCH),
      unit: "1/s",
      against: { name: "written", value: rate(ours, HISTOGRAMS_A_BATCH) },
    },
    ...disk,
  ];
}

async function copyAgain(metrics: MetricClient): Promise<number> {
  let totalMs = 0;
  for (const table of tables) {
    const rows = await copyOut(metrics, `metric.${table}`);
    await metrics.query(`TRUNCATE metric.${table}`);
    totalMs += await timed(() => copyIn(metrics, `metric.${table}`, rows));
    await metrics.query(`TRUNCATE metric.${table}`);
  }
  return totalMs;
}

/** Bytes of tables and keys, of rows as they lie after an hour. */
async function diskOf(
  metrics: MetricClient,
  fleet: ReturnType<typeof createFleet>,
  nowMs: number,
): Promise<Measurement[]> {
  for (let i = 100; i < 200; i += 1) {
    await acceptBatches({ client: metrics, batches: fleet.batches(nowMs - i * WINDOW_MS), nowMs });
  }
  const sizes = new Map<string, number>();
  const { rows } = await metrics.query<{ name: string; bytes: string }>(
    `SELECT substring(relname from '^(.*)_p[0-9]{8}$') AS name, sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
      WHERE relnamespace = 'metric'::regnamespace AND relkind = 'r' GROUP BY 1`,
  );
  for (const { name, bytes } of rows) sizes.set(name, Number(bytes));
  const batchCount = 100 * NODES;
  const sampleBytes = sizes.get("sample_raw") ?? 0;
  return [
    {
      name: "a histogram window on disk",
      value: (sizes.get("hist_raw") ?? 0) / (batchCount * HISTOGRAMS_A_BATCH),
      unit: "B",
      against: { name: "300 B", value: 300 },
    },
    {
      name: "a sample on disk",
      value: sampleBytes / (batchCount * SAMPLES_A_BATCH),
      unit: "B",
      against: { name: "10 B", value: 10 },
    },
  ];
}

async function benchReading(platform: Platform, say: Say): Promise<Measurement[]> {
  const nowMs = Date.now();
  const node = createFleet(1);
  const startMs = Math.floor((nowMs - DAY_MS) / WINDOW_MS) * WINDOW_MS;
  const batches = Array.from({ length: DAY_MS / WINDOW_MS }, (_, i) =>
    node.batches(startMs + (i + 1) * WINDOW_MS),
  ).flat();
  for (let i = 0; i < batches.length; i += 200) {
    await acceptBatches({ client: platform.metrics, batches: batches.slice(i, i + 200), nowMs });
  }
  const rolledMs = await timed(() => runRollUp(platform));
  say(`Rolled up a day of one node and what was written before in ${(rolledMs / 1000).toFixed(1)} s.`);
  const nodeIds = [...node.nodeIds];
  const ask = (input: { metric: "stashlight_fsync_seconds"; nodeIds: string[]; rangeMs: number }) =>
    queryMetric({
      ctx: viewerOf(platform),
      input: {
        metric: input.metric,
        nodeIds: input.nodeIds,
        fromMs: nowMs - input.rangeMs,
        toMs: nowMs,
        where: {},
        groupBy: [],
        across: "sum",
        pointCountMax: 400,
      },
    });
  const medianMs = async (question: Parameters<typeof ask>[0]): Promise<number> => {
    const all: number[] = [];
    for (let i = 0; i < 9; i += 1) all.push(await timed(() => ask(question)));
    return median(all);
  };
  const metric = "stashlight_fsync_seconds";
  const day = await medianMs({ metric, nodeIds, rangeMs: DAY_MS });
  const hours = await medianMs({ metric, nodeIds, rangeMs: 7_200_000 });
  const fleetIds = await fillFleet(platform.metrics, nowMs);
  const fleetMs = await medianMs({ metric, nodeIds: fleetIds, rangeMs: DAY_MS });
  return [
    { name: "24 h of one node, 4 drives", value: day, unit: "ms", against: { name: "60 ms", value: 60 } },
    { name: "2 h of one node, raw", value: hours, unit: "ms", against: { name: "60 ms", value: 60 } },
    {
      name: `24 h of ${FLEET_NODES} nodes, one p99`,
      value: fleetMs,
      unit: "ms",
      against: { name: "250 ms", value: 250 },
    },
  ];
}

const viewerOf = (platform: Platform): Context => ({
  platform,
  principal: {
    userId: "bench",
    sessionId: "bench",
    email: "bench@example.org",
    name: "bench",
    role: "viewer" satisfies Role,
    twoFactorEnabled: false,
  },
  origin: { ipAddress: "127.0.0.1", userAgent: "bench" },
});

/** A day of a fleet as it is when all is rolled up: ten-minute buckets, one series a node. */
async function fillFleet(metrics: MetricClient, nowMs: number): Promise<string[]> {
  const nodeIds = Array.from({ length: FLEET_NODES }, () => randomUUID());
  const ids = await seriesIds(
    metrics,
    nodeIds.map((nodeId) => ({
      nodeId,
      metric: "stashlight_fsync_seconds",
      kind: "histogram",
      unit: "seconds",
      labels: { tier: "stash", device: "s0" },
    })),
  );
  const endMs = Math.floor(nowMs / 600_000) * 600_000;
  const random = createRandom(3);
  for (let bucket = 0; bucket < 144; bucket += 1) {
    const rows = emptyHistogramColumns();
    const tsMs = endMs - bucket * 600_000;
    for (const [i, nodeId] of nodeIds.entries()) {
      const histogram = new ExponentialHistogram();
      for (let sample = 0; sample < 300; sample += 1) histogram.record(0.0005 + random() ** 8 * 0.05);
      const { sum, min, max, buckets } = histogram.content();
      rows.nodeIds.push(nodeId);
      rows.seriesIds.push(ids[i] as number);
      rows.tsMs.push(tsMs);
      rows.n.push(histogram.count);
      rows.sum.push(sum);
      rows.min.push(min);
      rows.max.push(max);
      rows.p50.push(0);
      rows.p99.push(0);
      rows.p999.push(0);
      rows.buckets.push(encodeBuckets(buckets));
    }
    await replaceHistograms(metrics, "10m", rows);
  }
  const marks = nodeIds.map((nodeId) => ({ nodeId, tsMs: endMs }));
  await raiseWatermarks(metrics, "1m", marks);
  await raiseWatermarks(metrics, "10m", marks);
  await metrics.query(
    `INSERT INTO metric.node_state SELECT node_id, now(), 10000, true FROM unnest($1::uuid[]) AS n (node_id)`,
    [binaryArray.uuid(nodeIds)],
  );
  return nodeIds;
}
