/**
 * The metric store: throughput of one process, against a COPY of the same bytes into the same tables; disk cost of a
 * window and a sample; duration of a one-day chart. For agents: spool, cost, and latency up to a chart.
 */
import type { MetricClient } from "@stashlight/db/metrics";
import { acceptBatches } from "@stashlight/services/metrics/ingest";
import type { Platform } from "@stashlight/services/platform";
import type { Measurement } from "./measurement.ts";
import type { BenchOptions } from "./options.ts";
import { median, timed } from "./rounds.ts";
import { benchAgentCost } from "./telemetry/agent-cost.ts";
import { copyIn, copyOut } from "./telemetry/copy.ts";
import { createFleet, HISTOGRAMS_A_BATCH, SAMPLES_A_BATCH, WINDOW_MS } from "./telemetry/fleet.ts";
import { benchHttp } from "./telemetry/over-http.ts";
import { benchReading } from "./telemetry/reading.ts";
import { benchSimulatedFleet } from "./telemetry/simulated-fleet.ts";
import { benchSpool } from "./telemetry/spool.ts";
import { createViewer } from "./telemetry/viewer.ts";
import { withPlatform } from "./with-platform.ts";

const NODES = 200;
const WINDOWS_IN_ROUND = 10;
/** An ingest reads the next requests while the database writes. */
const CALLS_IN_FLIGHT = 2;
const ROUNDS = 5;
const tables = ["hist_raw", "sample_raw"] as const;

type PrintLine = (line: string) => void;

export function benchTelemetry(say: PrintLine, { fleet }: BenchOptions): Promise<Measurement[]> {
  return withPlatform(async (platform) => {
    if (fleet !== undefined) return benchSimulatedFleet(platform, fleet, say);
    const written = await benchWriting(platform, say);
    const received = await benchHttp(platform, say);
    const read = await benchReading(platform, say);
    const agents = await benchAgentCost(platform, createViewer(platform), say);
    return [...written, ...received, ...read, ...agents, ...(await benchSpool(say))];
  });
}

/**
 * Each round is written by the product, copied out, removed, and copied in again: the same rows into the same tables.
 */
async function benchWriting({ metrics }: Platform, say: PrintLine): Promise<Measurement[]> {
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
    // The first round also creates the series.
    if (round === 0) continue;
    seconds.ours.push(ours / 1000);
    seconds.again.push(again / 1000);
    seconds.copied.push(copied / 1000);
  }
  const batchCount = NODES * WINDOWS_IN_ROUND;
  say(
    `${batchCount} batches per round: ${HISTOGRAMS_A_BATCH} histograms and ${SAMPLES_A_BATCH} samples each.`,
  );
  const rate = (of: readonly number[], each: number): number => (batchCount * each) / median(of);
  const { ours, again, copied } = seconds;
  const copyRate = rate(copied, HISTOGRAMS_A_BATCH);
  const disk = await measureDisk(metrics, fleet, nowMs);
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
      against: { name: "100,000 per second", value: 100_000 },
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

/** Bytes of the tables and their indexes per row, for 100 windows of the fleet. */
async function measureDisk(
  metrics: MetricClient,
  fleet: ReturnType<typeof createFleet>,
  nowMs: number,
): Promise<Measurement[]> {
  // One window after another, as agents send them.
  for (let i = 200; i > 100; i -= 1) {
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
