/**
 * Tests that unused names are deleted, and that a process with a cached name never writes under an id that no longer
 * exists.
 */
import { DAY_MS } from "@stashlight/contracts/time";
import {
  dayNumber,
  forgetUnused,
  inTransaction,
  lockSeries,
  type MetricConnection,
} from "@stashlight/db/metrics";
import { beforeEach, expect, test, vi } from "vitest";
import { present } from "../../present.ts";
import { accept, createTestNode, type TestNode, useFreshInstallation } from "../../testing/index.ts";
import { applyMetricRetention } from "./retention.ts";
import { runRollUp } from "./roll-up.ts";

/** Longer than rows, their partitions and their names are kept. */
const FORGOTTEN_DAYS = 828;
const { installation } = useFreshInstallation();
let node: TestNode;
let nowMs: number;

beforeEach(async () => {
  nowMs = installation.clock.now().getTime();
  node = await createTestNode(installation.platform, "stash-1");
});

const send = (endMs: number, connections: number) =>
  accept(
    installation.platform,
    node.batch({
      endMs,
      histograms: [["stashlight_encode_seconds", {}, [0.001]]],
      gauges: [["stashlight_client_connections", {}, connections]],
    }),
  );

async function goTo(ms: number): Promise<void> {
  installation.clock.set(new Date(ms));
  await installation.platform.metrics.query("SELECT metric.ensure_partitions($1)", [new Date(ms)]);
}

const queryRows = async (sql: string, values: unknown[] = []) =>
  (await installation.platform.metrics.query(sql, values)).rows;
const countNames = async () => {
  const [row] = await queryRows(
    `SELECT (SELECT count(*)::int FROM metric.series) AS series, (SELECT count(*)::int FROM metric.sample_layout) AS layouts`,
  );
  return row;
};
/** Asserts that every row of the last day has its names. */
async function expectNamed(): Promise<void> {
  const since = new Date(installation.clock.now().getTime() - DAY_MS);
  const [row] = await queryRows(
    `SELECT (SELECT count(*)::int FROM metric.hist_raw AS r WHERE ts > $1 AND NOT EXISTS
               (SELECT FROM metric.series AS s WHERE s.node_id = r.node_id AND s.id = r.series_id)) AS histograms,
            (SELECT count(*)::int FROM metric.sample_raw AS r WHERE ts > $1 AND NOT EXISTS
               (SELECT FROM metric.sample_layout AS l WHERE l.node_id = r.node_id AND l.id = r.layout_id)) AS samples,
            (SELECT count(*)::int FROM metric.sample_layout AS l, unnest(l.series_ids) AS i (id) WHERE NOT EXISTS
               (SELECT FROM metric.series AS s WHERE s.node_id = l.node_id AND s.id = i.id)) AS layouts`,
    [since],
  );
  expect(row).toEqual({ histograms: 0, samples: 0, layouts: 0 });
}

test("names are kept while any row may refer to them, and then forgotten", async () => {
  await send(nowMs, 1);
  await goTo(nowMs + DAY_MS);
  await runRollUp(installation.platform);
  const before = await countNames();
  expect(before.series).toBeGreaterThanOrEqual(2);
  // The last bucket is dropped with its partition after at most 821 days.
  await goTo(nowMs + 821 * DAY_MS);
  await applyMetricRetention(installation.platform);
  expect(await queryRows("SELECT FROM metric.hist_1h")).toEqual([]);
  expect(await countNames()).toEqual(before);
  await goTo(nowMs + FORGOTTEN_DAYS * DAY_MS);
  expect(await applyMetricRetention(installation.platform)).toMatch(
    /[1-9]\d* series and [1-9]\d* layouts\.$/,
  );
  expect(await countNames()).toEqual({ series: 0, layouts: 0 });
});

test("a running process whose names were forgotten stores its next rows under existing names", async () => {
  await send(nowMs, 1);
  await goTo(nowMs + FORGOTTEN_DAYS * DAY_MS);
  await applyMetricRetention(installation.platform);
  await send(nowMs + FORGOTTEN_DAYS * DAY_MS, 2);
  expect(await countNames()).toEqual({ series: 2, layouts: 1 });
  await expectNamed();
  expect(await queryRows("SELECT last FROM bi.gauge_raw ORDER BY ts DESC LIMIT 1")).toEqual([{ last: 2 }]);
});

test("names in use are not forgotten, however old they are", async () => {
  await send(nowMs, 1);
  const made = await queryRows(
    "SELECT id FROM metric.series UNION ALL SELECT id FROM metric.sample_layout ORDER BY 1",
  );
  for (const days of [400, 800, 1200]) {
    await goTo(nowMs + days * DAY_MS);
    await send(nowMs + days * DAY_MS, 1);
    await applyMetricRetention(installation.platform);
  }
  const kept = await queryRows(
    "SELECT id FROM metric.series UNION ALL SELECT id FROM metric.sample_layout ORDER BY 1",
  );
  expect(kept).toEqual(made);
  await expectNamed();
});

/** A connection with a separate transaction, which the test ends. */
async function inOpenTransaction(
  action: (connection: MetricConnection) => Promise<unknown>,
): Promise<{ commit: () => Promise<void> }> {
  const connection = await installation.anotherPlatform().metrics.connect();
  await connection.query("BEGIN");
  await action(connection);
  return {
    commit: async () => {
      await connection.query("COMMIT");
      connection.release();
    },
  };
}

const forget = (ms: number) =>
  inTransaction(installation.platform.metrics, (connection) => forgetUnused(connection, new Date(ms)));

const somebodyWaits = () =>
  vi.waitFor(async () => {
    const waiting = await queryRows("SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'");
    expect(waiting).toHaveLength(1);
  });

test("a writer that arrives while retention deletes its names waits and creates them again", async () => {
  await send(nowMs, 1);
  const laterMs = nowMs + FORGOTTEN_DAYS * DAY_MS;
  await goTo(laterMs);
  const keeper = await inOpenTransaction((connection) => forgetUnused(connection, new Date(laterMs)));
  const sent = send(laterMs, 2);
  await somebodyWaits();
  await keeper.commit();
  await sent;
  expect(await countNames()).toEqual({ series: 2, layouts: 1 });
  await expectNamed();
});

test("retention that runs while a writer uses old names waits and keeps them", async () => {
  await send(nowMs, 1);
  const laterMs = nowMs + FORGOTTEN_DAYS * DAY_MS;
  await goTo(laterMs);
  const day = dayNumber(laterMs);
  const writer = await inOpenTransaction(async (connection) => {
    await lockSeries(connection, [node.id]);
    for (const table of ["series", "sample_layout"]) {
      await connection.query(`UPDATE metric.${table} SET used_on = date '1970-01-01' + $1::int4`, [day]);
    }
  });
  const kept = forget(laterMs);
  await somebodyWaits();
  await writer.commit();
  expect(await kept).toEqual({ layoutCount: 0, seriesCount: 0 });
  expect(await countNames()).toEqual({ series: 2, layouts: 1 });
});

test("concurrent retention runs and writers never leave a row without its names", async () => {
  const laterMs = nowMs + FORGOTTEN_DAYS * DAY_MS;
  const nodes = [
    node,
    ...(await Promise.all([1, 2, 3].map((i) => createTestNode(installation.platform, `n${i}`)))),
  ];
  const makeBatch = (each: TestNode, endMs: number) =>
    each.batch({
      endMs,
      gauges: [["stashlight_client_connections", {}, 3]],
      histograms: [["stashlight_encode_seconds", {}, [1]]],
    });
  await accept(installation.platform, ...nodes.map((each) => makeBatch(each, nowMs)));
  await goTo(laterMs);
  const processes = nodes.map(() => installation.anotherPlatform());
  await Promise.all([
    ...processes.map(async (process, i) => {
      for (let round = 0; round < 5; round += 1) {
        await accept(process, makeBatch(present(nodes[i]), laterMs - round * 10_000));
      }
    }),
    ...[1, 2, 3].map(() => forget(laterMs)),
  ]);
  const [{ count }] = await queryRows("SELECT count(*)::int AS count FROM metric.hist_raw WHERE ts > $1", [
    new Date(laterMs - DAY_MS),
  ]);
  expect(count).toBe(20);
  await expectNamed();
});
