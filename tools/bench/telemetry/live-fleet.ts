/** A fleet that measures for a minute: what its batches cost the ingests and the database, how late they are, and the roll-up. */
import { setTimeout as delay } from "node:timers/promises";
import { MINUTE_MS } from "@stashlight/contracts/time/duration";
import { runFleet } from "@stashlight/fleet";
import { runMetricKeeper, runRollUp } from "@stashlight/services/metrics/roll-up";
import type { Platform } from "@stashlight/services/platform";
import type { Measurement } from "../measurement.ts";
import { type ServerProcess, startIngest } from "./ingest-process.ts";
import type { Member } from "./member.ts";
import { postgresCpuSeconds } from "./postgres-cpu.ts";

type Say = (line: string) => void;

const LIVE_MS = MINUTE_MS;
const WINDOWS_A_MINUTE = 6;
/** After it a roll-up finds all that was measured due. */
const SETTLED_MS = MINUTE_MS + 15_000;
const US = 1e6;

export async function benchLive(
  platform: Platform,
  members: readonly Member[],
  ingestCount: number,
  say: Say,
): Promise<Measurement[]> {
  const ingests = await Promise.all(Array.from({ length: ingestCount }, () => startIngest(platform)));
  try {
    const live = await post(platform, members, ingests, say);
    return [...live, ...(await rollUp(platform, members.length, say))];
  } finally {
    await Promise.all(ingests.map((each) => each.stop()));
  }
}

async function post(
  platform: Platform,
  members: readonly Member[],
  ingests: readonly ServerProcess[],
  say: Say,
): Promise<Measurement[]> {
  const fromMs = Date.now();
  const ingestCpu = () => ingests.reduce((sum, each) => sum + each.cpuSeconds(), 0);
  const before = { ingest: ingestCpu(), postgres: await postgresCpuSeconds(platform.metrics) };
  let refusedCount = 0;
  const watched = new AbortController();
  const lags = watchLag(platform, fromMs, watched.signal);
  await runFleet({
    origins: ingests.map(({ port }) => `http://127.0.0.1:${port}`),
    agents: members.map(({ node, key }) => ({ node, key, fromMs })),
    onRefused: (_, reason) => {
      refusedCount += 1;
      say(reason);
    },
    signal: AbortSignal.timeout(LIVE_MS),
  });
  watched.abort();
  const { rows } = await platform.metrics.query<{ batches: number; rows: number }>(
    `SELECT (SELECT count(*)::int FROM metric.batch_seen WHERE ts > to_timestamp($1::float8 / 1000)) AS batches,
            (SELECT count(*)::int FROM metric.hist_raw) + (SELECT count(*)::int FROM metric.sample_raw) AS rows`,
    [fromMs],
  );
  const { batches = 0, rows: rowCount = 0 } = rows[0] ?? {};
  const cpu = ingestCpu() - before.ingest;
  const postgresCpu = (await postgresCpuSeconds(platform.metrics)) - before.postgres;
  const lag = (await lags).sort((a, b) => a - b);
  say(
    `${rowCount} rows; ${refusedCount} batches were refused; lag of the newest windows, in s: ${lag.map((each) => each.toFixed(1)).join(" ")}`,
  );
  const seconds = LIVE_MS / 1000;
  const name = (what: string) => `${what}, ${members.length} agents, ${ingests.length} ingests`;
  return [
    {
      name: name("batches a second"),
      value: batches / seconds,
      unit: "1/s",
      against: { name: "what they measured", value: (members.length * WINDOWS_A_MINUTE) / 60 },
    },
    {
      name: name("rows a second"),
      value: rowCount / seconds,
      unit: "1/s",
      against: { name: "batches", value: batches / seconds },
    },
    {
      name: name("ingests' CPU a batch"),
      value: (cpu / batches) * US,
      unit: "us",
      against: { name: "160 us", value: 160 },
    },
    {
      name: name("Postgres' CPU a batch"),
      value: (postgresCpu / batches) * US,
      unit: "us",
      against: { name: "160 us", value: 160 },
    },
  ];
}

/** How old the newest window of each node is at most, once in some seconds, from the second window on. */
async function watchLag({ metrics }: Platform, fromMs: number, over: AbortSignal): Promise<number[]> {
  const lags: number[] = [];
  await delay(25_000, undefined, { signal: over }).catch(() => {});
  while (!over.aborted) {
    const { rows } = await metrics.query<{ lag: number | null }>(
      `SELECT extract(epoch FROM clock_timestamp() - percentile_disc(0.01) WITHIN GROUP (ORDER BY newest))::float8 AS lag
         FROM metric.node_state WHERE newest > to_timestamp($1::float8 / 1000)`,
      [fromMs],
    );
    if (rows[0]?.lag != null) lags.push(rows[0].lag);
    await delay(5_000, undefined, { signal: over }).catch(() => {});
  }
  return lags;
}

/** In rounds, so that the second one meets fleets that are known and a store that is warm. */
async function rollUp(platform: Platform, nodeCount: number, say: Say): Promise<Measurement[]> {
  await delay(SETTLED_MS);
  const measured = async (work: () => Promise<string>) => {
    const startedMs = performance.now();
    const own = process.cpuUsage();
    const postgres = await postgresCpuSeconds(platform.metrics);
    say(await work());
    const { user, system } = process.cpuUsage(own);
    const postgresSeconds = (await postgresCpuSeconds(platform.metrics)) - postgres;
    return { ms: performance.now() - startedMs, cpuMs: (user + system) / 1000 + postgresSeconds * 1000 };
  };
  const { rows } = await platform.metrics.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM metric.rollup_due WHERE level = 1",
  );
  const buckets = rows[0]?.count ?? 1;
  const rolled = await measured(() => runRollUp(platform));
  const kept = await measured(() => runMetricKeeper(platform));
  const row = (name: string, value: number, budget: number) => ({
    name: `${name}, ${nodeCount} nodes`,
    value,
    unit: "ms" as const,
    against: { name: `${budget} ms`, value: budget },
  });
  say(`${buckets} buckets of a minute rolled up in ${(rolled.ms / 1000).toFixed(1)} s.`);
  return [
    row("roll-up, CPU a node and minute", rolled.cpuMs / buckets, 5),
    row("roll-up, elapsed a node and minute", rolled.ms / buckets, 5),
    row("retention, CPU a node", kept.cpuMs / nodeCount, 1),
  ];
}
