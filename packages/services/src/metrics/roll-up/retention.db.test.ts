import { DAY_MS } from "@stashlight/contracts/time";
import { testProfile } from "@stashlight/db/testing";
import { beforeEach, expect, test } from "vitest";
import { accept, createTestNode, type TestNode, useFreshInstallation } from "../../testing/index.ts";
import { applyMetricRetention } from "./retention.ts";
import { runRollUp } from "./roll-up.ts";

const { installation } = useFreshInstallation();
let node: TestNode;
let nowMs: number;

beforeEach(async () => {
  nowMs = installation.clock.now().getTime();
  node = await createTestNode(installation.platform, "stash-1");
});

const send = (endMs: number) =>
  accept(
    installation.platform,
    node.batch({
      endMs,
      histograms: [["stashlight_encode_seconds", {}, [0.001]]],
      gauges: [["stashlight_client_connections", {}, 3]],
    }),
  );

async function goTo(ms: number): Promise<void> {
  installation.clock.set(new Date(ms));
}

async function countRows(table: string): Promise<number> {
  const { rows } = await installation.platform.metrics.query(
    `SELECT count(*)::int FROM metric.${table} WHERE node_id NOT IN (SELECT node_id FROM metric.fleet)`,
  );
  return rows[0].count;
}

/** TimescaleDB creates and detaches no partitions. */
const hasPartitions = testProfile() !== "timescale";

async function partitionNames(table: string): Promise<string[]> {
  const { rows } = await installation.platform.metrics.query(
    `SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'metric'::regnamespace
        AND c.relkind = 'r' AND c.relname LIKE $1 ORDER BY 1`,
    [`${table}\\_p%`],
  );
  return rows.map(({ relname }) => relname);
}

test.runIf(hasPartitions)(
  "the product's own role creates partitions for a week ahead, and leaves existing ones as they are",
  async () => {
    const { rows } = await installation.platform.metrics.query("SELECT current_user AS role");
    expect(rows).toEqual([{ role: "stashlight_app" }]);
    expect(await applyMetricRetention(installation.platform)).toMatch(/^Created 0 partitions, dropped 0/);
    await goTo(nowMs + DAY_MS);
    expect(await applyMetricRetention(installation.platform)).toMatch(/^Created \d+ partitions, dropped \d+/);
    const days = (await partitionNames("hist_raw")).map((name) => name.slice(-8));
    const wanted = new Date(nowMs + 8 * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");
    expect(days.at(-1)).toBe(wanted);
  },
);

test("each resolution is removed when its retention ends, and the coarser ones stay", async () => {
  await send(nowMs);
  await goTo(nowMs + 7_200_000);
  await runRollUp(installation.platform);
  const left = async () => Promise.all(["hist_raw", "hist_1m", "hist_10m", "hist_1h"].map(countRows));
  expect(await left()).toEqual([1, 1, 1, 1]);
  for (const [days, expected] of [
    [4, [0, 1, 1, 1]],
    [23, [0, 0, 1, 1]],
    [120, [0, 0, 0, 1]],
    [823, [0, 0, 0, 0]],
  ] as const) {
    await goTo(nowMs + days * DAY_MS);
    await applyMetricRetention(installation.platform);
    expect(await left(), `after ${days} days`).toEqual(expected);
  }
  await send(nowMs + 823 * DAY_MS);
  expect(await left()).toEqual([1, 0, 0, 0]);
});

test("data that is not rolled up yet is not dropped", async () => {
  await send(nowMs);
  await goTo(nowMs + 5 * DAY_MS);
  await applyMetricRetention(installation.platform);
  expect(await countRows("hist_raw")).toBe(1);
  await runRollUp(installation.platform);
  await applyMetricRetention(installation.platform);
  expect([await countRows("hist_raw"), await countRows("hist_1h")]).toEqual([0, 1]);
});

test.runIf(hasPartitions)(
  "the next run drops a partition that an interrupted run only detached",
  async () => {
    const { metrics } = installation.platform;
    const [oldest] = await partitionNames("sample_raw");
    await metrics.query(`ALTER TABLE metric.sample_raw DETACH PARTITION metric.${oldest}`);
    await goTo(nowMs + 10 * DAY_MS);
    await applyMetricRetention(installation.platform);
    expect(await partitionNames("sample_raw")).not.toContain(oldest);
  },
);

test("concurrent runs all end without error, and at least one applies the retention", async () => {
  await goTo(nowMs + 6 * DAY_MS);
  const others = [1, 2, 3].map(() => installation.anotherPlatform());
  const outcomes = await Promise.all(others.map(applyMetricRetention));
  expect(outcomes.filter((outcome) => outcome.startsWith("Created")).length).toBeGreaterThanOrEqual(1);
});

test.runIf(testProfile() === "timescale")(
  "old buckets are compressed if the edition supports it, and can be read and changed as before",
  async () => {
    const { metrics } = installation.platform;
    await send(nowMs);
    await goTo(nowMs + 7_200_000);
    await runRollUp(installation.platform);
    await goTo(nowMs + 14 * DAY_MS);
    const told = await applyMetricRetention(installation.platform);
    const { rows } = await metrics.query("SELECT current_setting('timescaledb.license') AS license");
    if (rows[0].license === "timescale") expect(told).toMatch(/compressed [1-9]/);
    else expect(told).not.toContain("compressed");
    expect(await countRows("hist_1m")).toBe(1);
    await metrics.query("UPDATE metric.hist_1m SET n = 7");
    const changed = await metrics.query("SELECT n::int FROM metric.hist_1m WHERE node_id = $1", [node.id]);
    expect(changed.rows).toEqual([{ n: 7 }]);
  },
);
