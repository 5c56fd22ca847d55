import { REFUSED_ROWS_PER_NODE_MAX } from "@stashlight/contracts/metrics";
import { testProfile } from "@stashlight/db/testing";
import { beforeEach, expect, test } from "vitest";
import { accept, createTestNode, type TestNode, useFreshInstallation } from "../../testing/index.ts";
import type { ReceivedBatch } from "./accept-batches.ts";

const { installation } = useFreshInstallation();
let node: TestNode;
let nowMs: number;

beforeEach(async () => {
  nowMs = installation.clock.now().getTime();
  node = await createTestNode(installation.platform, "stash-1");
});

const drive = { tier: "stash", device: "s1" };
const content = (endMs: number) => ({
  endMs,
  histograms: [["stashlight_fsync_seconds", drive, [0.001, 0.002, 0.5]]] as const,
  counters: [["stashlight_fsync_errors_total", drive, 2]] as const,
  gauges: [["stashlight_client_connections", {}, 7]] as const,
});
const batchAt = (endMs: number, of = node): ReceivedBatch =>
  of.batch(content(endMs) as unknown as Parameters<TestNode["batch"]>[0]);

const tables = ["hist_raw", "sample_raw", "batch_seen", "rollup_due", "gap", "refused"] as const;

async function counts(): Promise<Record<string, number>> {
  const { rows } = await installation.platform.metrics.query(
    `SELECT ${tables.map((table) => `(SELECT count(*)::int FROM metric.${table}) AS ${table}`).join(", ")}`,
  );
  return rows[0];
}

test("a batch that arrives twice in one call, and again in another, is stored once", async () => {
  const batch = batchAt(nowMs);
  await accept(installation.platform, batch, batch);
  await accept(installation.platform, batch);
  expect(await counts()).toMatchObject({
    hist_raw: 1,
    sample_raw: 1,
    batch_seen: 1,
    rollup_due: 1,
  });
  const { rows } = await installation.platform.metrics.query("SELECT * FROM metric.hist_raw");
  expect(rows).toMatchObject([{ n: "3", sum: 0.503, min: 0.001, max: 0.5, ts: new Date(nowMs) }]);
});

test("processes with the same batches in different orders store each once and never deadlock", async () => {
  const others = [1, 2, 3, 4].map(() => installation.anotherPlatform());
  const nodes = [
    node,
    ...(await Promise.all([2, 3, 4].map((i) => createTestNode(installation.platform, `n${i}`)))),
  ];
  for (let round = 0; round < 5; round += 1) {
    const batches = nodes.flatMap((each) =>
      [0, 1, 2].map((i) => batchAt(nowMs - 10_000 * (3 * round + i), each)),
    );
    await Promise.all(
      others.map((other, i) => accept(other, ...(i % 2 === 0 ? batches : batches.toReversed()))),
    );
  }
  expect(await counts()).toMatchObject({ hist_raw: 60, sample_raw: 60, batch_seen: 60 });
  const { rows } = await installation.platform.metrics.query(
    "SELECT count(*)::int AS count FROM metric.series",
  );
  expect(rows).toEqual([{ count: 12 }]);
});

test("windows with an impossible time are left out and counted; the rest of their batch is stored", async () => {
  const gap = { startMs: nowMs - 99_000, endMs: nowMs - 9_000, reason: "spool_full" } as const;
  const future = node.batch({ ...(content(nowMs + 301_000) as object), endMs: nowMs + 301_000, gaps: [gap] });
  await accept(installation.platform, future, batchAt(nowMs - 48 * 3_600_000 - 1), batchAt(nowMs + 299_000));
  expect(await counts()).toMatchObject({ hist_raw: 1, gap: 1, refused: 2 });
  const { rows } = await installation.platform.metrics.query(
    "SELECT reason, count::int FROM metric.refused ORDER BY reason",
  );
  expect(rows).toEqual([
    { reason: "from_the_future", count: 1 },
    { reason: "too_old", count: 1 },
  ]);
});

test.runIf(testProfile() !== "timescale")(
  "without a partition nothing is stored, and the sender is asked to retry all batches",
  async () => {
    const { metrics } = installation.platform;
    const good = batchAt(nowMs);
    const later = new Date(nowMs + 20 * 86_400_000);
    installation.clock.set(later);
    const lost = batchAt(later.getTime());
    const both = accept(installation.platform, batchAt(later.getTime() - 60_000), lost);
    await expect(both).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
    expect(await counts()).toMatchObject({ hist_raw: 0, sample_raw: 0, batch_seen: 0, rollup_due: 0 });
    await metrics.query("SELECT metric.ensure_partitions($1)", [later]);
    await accept(installation.platform, lost);
    installation.clock.set(new Date(nowMs));
    await accept(installation.platform, good);
    expect(await counts()).toMatchObject({ hist_raw: 2, batch_seen: 2 });
  },
);

test("an unavailable database asks the sender to retry", async () => {
  const gone = installation.anotherPlatform({ databaseUrl: "postgres://nobody@127.0.0.1:1/none" });
  await expect(accept(gone, batchAt(nowMs))).rejects.toMatchObject({ code: "unavailable" });
});

test("a repeated batch does not count its refusals twice", async () => {
  const refusals = [1, 2].map(() => ({ metric: "cpu".padEnd(500, "!"), reason: "unknown_metric" as const }));
  const batch = { ...batchAt(nowMs), refusals };
  await accept(installation.platform, batch);
  await accept(installation.platform, batch);
  const { rows } = await installation.platform.metrics.query("SELECT reason, count::int FROM metric.refused");
  expect(rows).toEqual([{ reason: "unknown_metric", count: 2 }]);
});

test("only some of the many invented metric names of a batch, malformed ones included, are stored, but all are counted", async () => {
  const refusals = Array.from({ length: 50 }, (_, i) => ({
    metric: `made\0up\ud800${i}`,
    reason: "unknown_metric" as const,
  }));
  await accept(installation.platform, { ...batchAt(nowMs), refusals });
  const { rows } = await installation.platform.metrics.query(
    "SELECT count(*)::int AS rows, sum(count)::int AS values FROM metric.refused",
  );
  expect(rows).toEqual([{ rows: 21, values: 50 }]);
});

test("a node has a limited number of rows for invented names", async () => {
  for (let round = 0; round < 15; round += 1) {
    const refusals = Array.from({ length: 20 }, (_, i) => ({
      metric: `made up ${round} ${i}`,
      reason: "unknown_metric" as const,
    }));
    await accept(installation.platform, { ...batchAt(nowMs - round * 10_000), refusals });
  }
  const { rows } = await installation.platform.metrics.query(
    "SELECT count(*)::int AS rows, sum(count)::int AS values FROM metric.refused",
  );
  expect(rows).toEqual([{ rows: REFUSED_ROWS_PER_NODE_MAX + 1, values: 300 }]);
});

test("values that are not stored as sent are reported to the sender each time, and counted once", async () => {
  const future = batchAt(nowMs + 301_000);
  const twice = node.batch({
    endMs: nowMs,
    counters: [1, 2].map(() => ["stashlight_fallbacks_total", { reason: "r" }, 1]),
  });
  for (const _ of [1, 2]) {
    expect(await accept(installation.platform, future, batchAt(nowMs - 10_000), twice)).toEqual([
      [{ metric: "", reason: "from_the_future", count: 3 }],
      [],
      [{ metric: "stashlight_fallbacks_total", reason: "comes_twice", count: 1 }],
    ]);
  }
  const { rows } = await installation.platform.metrics.query(
    "SELECT metric, reason, count::int FROM metric.refused WHERE reason = 'comes_twice'",
  );
  expect(rows).toEqual([{ metric: "stashlight_fallbacks_total", reason: "comes_twice", count: 1 }]);
});

test("if a restarted node sends two batches for one moment, the first is kept, and all other windows are stored", async () => {
  const first = batchAt(nowMs);
  await accept(installation.platform, first);
  const again = { ...first, batch: { ...first.batch, bootId: 2 } };
  await accept(installation.platform, again, batchAt(nowMs - 10_000));
  expect(await counts()).toMatchObject({ hist_raw: 2, sample_raw: 2, batch_seen: 3 });
});

test("each level and increase belongs to its series, in any order of arrival and at any size", async () => {
  const pods = ["p0", "p1", "p2", "p3", "p4", "p5", "p6"];
  const stash = { stash: "n1", device: "s1" };
  const makeWindow = (endMs: number, unpurgedShards: number) => ({
    endMs,
    gauges: [
      ...pods.map((pod, i) => ["stashlight_stash_unpurged_shards", { ...stash, pod }, unpurgedShards + i]),
      ["stashlight_stash_used_bytes", stash, 1e12 + 1],
      ["stashlight_connections", { tier: "stash" }, 21],
      ["stashlight_agent_event_loop_delay_seconds", {}, 0.1],
    ],
    counters: [
      ["stashlight_agent_cpu_seconds_total", {}, 0.3],
      ["stashlight_shards_written_total", drive, 40],
      ["stashlight_shard_written_bytes_total", drive, 2 ** 33 + 1],
      ["stashlight_fsync_errors_total", drive, 0],
    ],
  });
  const [few, again, many] = [
    makeWindow(nowMs - 20_000, 5),
    makeWindow(nowMs - 10_000, 5),
    makeWindow(nowMs, 2 ** 24),
  ];
  again.gauges.reverse();
  again.counters.reverse();
  for (const window of [few, again, many]) {
    await accept(installation.platform, node.batch(window as unknown as Parameters<TestNode["batch"]>[0]));
  }
  const { metrics } = installation.platform;
  const stored = await metrics.query(
    "SELECT narrow IS NOT NULL AS is_narrow FROM metric.sample_raw ORDER BY ts",
  );
  expect(stored.rows.map((row) => row.is_narrow)).toEqual([true, true, false]);
  const { rows } = await metrics.query<{ ts: Date; metric: string; labels: object; value: number }>(
    `SELECT ts, metric, labels, last AS value FROM bi.gauge_raw
     UNION ALL SELECT ts, metric, labels, increase FROM bi.counter_raw`,
  );
  for (const { endMs, gauges, counters } of [few, again, many]) {
    const found = rows.filter(({ ts }) => ts.getTime() === endMs);
    const sent = [...gauges, ...counters].map(([metric, labels, value]) => ({ metric, labels, value }));
    expect(found).toHaveLength(sent.length);
    expect(found).toEqual(expect.arrayContaining(sent.map((each) => expect.objectContaining(each))));
  }
});
