/** Tests rows of a fleet's history in the store's own tables. */

import { randomUUID } from "node:crypto";
import { DAY_MS } from "@stashlight/contracts/time";
import { type MetricClient, openMetricClient } from "@stashlight/db/metrics";
import { createTestDatabase, type TestDatabase } from "@stashlight/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fillHistory } from "./history.ts";
import { silenceBefore } from "./node-life.ts";
import { planFleet } from "./plan.ts";

const nowMs = Date.now();
const endMs = Math.floor(nowMs / 10_000) * 10_000;

let database: TestDatabase;
let client: MetricClient;

beforeEach(async () => {
  database = await createTestDatabase();
  client = openMetricClient({
    url: database.runtimeUrl,
    purpose: "tool",
    applicationName: "fleet test",
    connectionsMax: 3,
  });
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

/** A pod that was not offline in the filled day; it has three histograms. */
const pod = planFleet(28).find(
  (node) => node.role === "pod" && (silenceBefore(node, nowMs)?.endMs ?? 0) < nowMs - 2 * DAY_MS,
);
const member = () => ({ node: pod as NonNullable<typeof pod>, nodeId: randomUUID() });

const fill = (members: ReturnType<typeof member>[], signal?: AbortSignal) =>
  fillHistory({
    client,
    members,
    dayCount: 1,
    nowMs,
    say: () => {},
    ...(signal === undefined ? {} : { signal }),
  });

async function readCounts(
  nodeId: string,
  resolution: string,
): Promise<{ rows: number; n: number; sum: number }> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS rows, sum(n)::float8 AS n, round(sum(sum))::float8 AS sum
       FROM metric.hist_${resolution} WHERE node_id = $1`,
    [nodeId],
  );
  return rows[0];
}

test("each resolution has a row per series and bucket of the day, with about as many samples as the raw windows", async () => {
  const one = member();
  await fill([one]);
  const raw = await readCounts(one.nodeId, "raw");
  expect(raw.rows).toBe(3 * 8641);
  for (const [resolution, bucketMs] of [
    ["1m", 60_000],
    ["10m", 600_000],
    ["1h", 3_600_000],
  ] as const) {
    const counts = await readCounts(one.nodeId, resolution);
    const bucketCount = Math.floor(endMs / bucketMs) - Math.ceil((endMs - DAY_MS) / bucketMs) + 1;
    expect(counts.rows, resolution).toBe(3 * bucketCount);
    expect(counts.n / raw.n, resolution).toBeGreaterThan(0.85);
    expect(counts.n / raw.n, resolution).toBeLessThan(1.15);
  }
  const { rows } = await client.query("SELECT is_simulated, newest FROM metric.node_state");
  expect(rows).toEqual([{ is_simulated: true, newest: new Date(endMs) }]);
});

test("two rows of the same simulated node have the same history", async () => {
  const [one, other] = [member(), member()];
  await fill([one]);
  await fill([one, other]);
  expect(await readCounts(other.nodeId, "10m")).toEqual(await readCounts(one.nodeId, "10m"));
});

test("the remains of an interrupted call are replaced, and a complete history is left unchanged", async () => {
  const one = member();
  await expect(fill([one], AbortSignal.abort())).rejects.toThrow(/abort/);
  await client.query(`INSERT INTO metric.gauge_1h VALUES ($1, $2, 1, '{1}', '{1}', '{1}', '{1}', '{1}')`, [
    one.nodeId,
    new Date(Math.floor(nowMs / 3_600_000) * 3_600_000),
  ]);
  expect(await fill([one])).toMatchObject({ nodeCount: 1, endMs });
  expect(await fill([one])).toMatchObject({ nodeCount: 0, histogramRowCount: 0 });
});
