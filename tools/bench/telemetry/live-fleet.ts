/**
 * A measuring fleet: the cost of its batches to the ingests and the database, their delay, and the roll-up. With
 * several ingests it alternates between posting to all of them, and posting one ingest's share to one: so each ingest
 * always has the same number of agents, because a batch costs less the more of them are stored together.
 */
import { setTimeout as delay } from "node:timers/promises";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { runFleet } from "@stashlight/fleet";
import { applyMetricRetention, runRollUp } from "@stashlight/services/metrics/roll-up";
import type { Platform } from "@stashlight/services/platform";
import type { Measurement } from "../measurement.ts";
import { type ServerProcess, startIngest } from "./ingest-process.ts";
import type { Member } from "./member.ts";
import { postgresCpuSeconds } from "./postgres-cpu.ts";

type PrintLine = (line: string) => void;

const LIVE_MS = 40_000;
const TURNS = 2;
const WINDOW_SECONDS = 10;
/**
 * Series names are stored once, and storing all of a fleet's at once takes the database longer than months of windows.
 */
const KNOWN_WITHIN_MS = 5 * MINUTE_MS;
/** A few of a simulated fleet's nodes are silent at any time. */
const KNOWN_SHARE = 0.99;
/** Time after which every measurement is due for a roll-up. */
const SETTLED_MS = MINUTE_MS + 15_000;
const US = 1e6;

export async function benchLive(
  platform: Platform,
  members: readonly Member[],
  ingestCount: number,
  say: PrintLine,
): Promise<Measurement[]> {
  const ingests = await Promise.all(Array.from({ length: ingestCount }, () => startIngest(platform)));
  try {
    const counts = [...new Set([1, ingestCount])];
    const firstMembers = (count: number) =>
      members.slice(0, Math.round((members.length * count) / ingestCount));
    for (const count of counts) await makeKnown(platform, firstMembers(count), ingests.slice(0, count), say);
    const turns: Turn[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const count of counts) {
        turns.push(await post(platform, firstMembers(count), ingests.slice(0, count), say));
      }
    }
    const live = counts.flatMap((count) => describe(turns, count, firstMembers(count).length));
    return [...live, ...(await rollUp(platform, members.length, say))];
  } finally {
    await Promise.all(ingests.map((each) => each.stop()));
  }
}

interface Turn {
  readonly ingestCount: number;
  readonly batches: number;
  readonly rows: number;
  readonly ingestCpuSeconds: number;
  readonly postgresCpuSeconds: number;
  /** Delays of the newest windows during the measurement, in ascending order. */
  readonly lagSeconds: readonly number[];
}

type Post = { readonly signal: AbortSignal; readonly fromMs: number; readonly say: PrintLine };

const ingestOrigins = (ingests: readonly ServerProcess[]): string[] =>
  ingests.map(({ port }) => `http://127.0.0.1:${port}`);

const postAll = (
  members: readonly Member[],
  ingests: readonly ServerProcess[],
  { signal, fromMs, say }: Post,
) =>
  runFleet({
    origins: ingestOrigins(ingests),
    agents: members.map(({ node, key }) => ({ node, key, fromMs })),
    onRefused: (_, reason) => say(`Refused: ${reason}`),
    signal,
  });

/** Waits until the nodes have posted, so that the measurement shows an ingest's long-term work. */
async function makeKnown(
  { metrics }: Platform,
  members: readonly Member[],
  ingests: readonly ServerProcess[],
  say: PrintLine,
): Promise<void> {
  const fromMs = Date.now();
  const known = new AbortController();
  const posting = postAll(members, ingests, { signal: known.signal, fromMs, say });
  let count = 0;
  while (count < KNOWN_SHARE * members.length && Date.now() < fromMs + KNOWN_WITHIN_MS) {
    await delay(1_000);
    const { rows } = await metrics.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM metric.node_state WHERE newest > to_timestamp($1::float8 / 1000)",
      [fromMs],
    );
    count = rows[0]?.count ?? 0;
  }
  known.abort();
  await posting;
  say(`${count} nodes were known after ${((Date.now() - fromMs) / 1000).toFixed(0)} s.`);
}

async function post(
  platform: Platform,
  members: readonly Member[],
  ingests: readonly ServerProcess[],
  say: PrintLine,
): Promise<Turn> {
  const fromMs = Date.now();
  const ingestCpu = () => ingests.reduce((sum, each) => sum + each.cpuSeconds(), 0);
  const before = { ingest: ingestCpu(), postgres: await postgresCpuSeconds(platform.metrics) };
  const watched = new AbortController();
  const lags = watchLag(platform, fromMs, watched.signal);
  await postAll(members, ingests, { signal: AbortSignal.timeout(LIVE_MS), fromMs, say });
  watched.abort();
  const { rows } = await platform.metrics.query<{ batches: number; rows: number }>(
    `SELECT (SELECT count(*)::int FROM metric.batch_seen WHERE ts > to_timestamp($1::float8 / 1000)) AS batches,
            (SELECT count(*)::int FROM metric.hist_raw WHERE ts > to_timestamp($1::float8 / 1000))
              + (SELECT count(*)::int FROM metric.sample_raw WHERE ts > to_timestamp($1::float8 / 1000)) AS rows`,
    [fromMs],
  );
  const lagSeconds = (await lags).sort((a, b) => a - b);
  say(
    `${ingests.length} ingests; lag of the newest windows, in s: ${lagSeconds.map((each) => each.toFixed(1)).join(" ")}`,
  );
  return {
    ingestCount: ingests.length,
    batches: rows[0]?.batches ?? 0,
    rows: rows[0]?.rows ?? 0,
    lagSeconds,
    ingestCpuSeconds: ingestCpu() - before.ingest,
    postgresCpuSeconds: (await postgresCpuSeconds(platform.metrics)) - before.postgres,
  };
}

/** Summarises the turns with this many ingests. */
function describe(turns: readonly Turn[], ingestCount: number, nodeCount: number): Measurement[] {
  const own = turns.filter((turn) => turn.ingestCount === ingestCount);
  const sum = (of: (turn: Turn) => number) => own.reduce((total, turn) => total + of(turn), 0);
  const batches = sum((turn) => turn.batches);
  const seconds = (own.length * LIVE_MS) / 1000;
  const name = (what: string) => `${what}, ${nodeCount} agents, ${ingestCount} ingests`;
  const budget = { name: "160 us", value: 160 };
  return [
    {
      name: name("batches per second"),
      value: batches / seconds,
      unit: "1/s",
      against: { name: "what they measured", value: nodeCount / WINDOW_SECONDS },
    },
    {
      name: name("rows per second"),
      value: sum((turn) => turn.rows) / seconds,
      unit: "1/s",
      against: { name: "batches", value: batches / seconds },
    },
    {
      name: name("lag of the newest windows, longest"),
      value: Math.max(...own.flatMap(({ lagSeconds }) => lagSeconds)) * 1000,
      unit: "ms",
      against: { name: "a window and 3 s", value: (WINDOW_SECONDS + 3) * 1000 },
    },
    {
      name: name("ingests' CPU a batch"),
      value: (sum((turn) => turn.ingestCpuSeconds) / batches) * US,
      unit: "us",
      against: budget,
    },
    {
      name: name("Postgres' CPU a batch"),
      value: (sum((turn) => turn.postgresCpuSeconds) / batches) * US,
      unit: "us",
      against: budget,
    },
  ];
}

/** 99th percentile of the ages of the nodes' newest windows, sampled every five seconds. */
async function watchLag({ metrics }: Platform, fromMs: number, over: AbortSignal): Promise<number[]> {
  const lags: number[] = [];
  await delay(2_000 + WINDOW_SECONDS * 1_000, undefined, { signal: over }).catch(() => {});
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

/** In rounds, so that the second one has known fleets and a warm store. */
async function rollUp(platform: Platform, nodeCount: number, say: PrintLine): Promise<Measurement[]> {
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
  const kept = await measured(() => applyMetricRetention(platform));
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
