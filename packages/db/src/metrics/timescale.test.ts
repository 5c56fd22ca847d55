/**
 * Tests the profile for TimescaleDB's community edition within this process; the *.db.test.ts files test it on a
 * server.
 */
import { DAY_MS } from "@stashlight/contracts/time";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assertTables } from "../migrate/stored-tables.ts";
import { openTimescaleInProcess } from "../testing/timescale-in-process.ts";
import { inTransaction, type MetricClient } from "./client.ts";
import { maintainPartitions } from "./partitions.ts";
import { metricTables } from "./table-definitions.ts";
import { calls } from "./testing/calls.ts";

let metrics: MetricClient;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool: metrics, close } = await openTimescaleInProcess());
});
afterAll(() => close());

test("every migration runs, and each metric table is a hypertable", async () => {
  const { rows } = await metrics.query<{ name: string }>(
    "SELECT hypertable_name AS name FROM timescaledb_information.hypertables WHERE hypertable_schema = 'metric'",
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(metricTables.map(({ name }) => name).sort());
  const connection = await metrics.connect();
  await expect(assertTables(connection, "timescale")).resolves.not.toThrow();
  connection.release();
});

test.each(Object.entries(calls))("the statement %s is accepted inside a transaction", async (_, call) => {
  await expect(inTransaction(metrics, call)).resolves.not.toThrow();
});

test("windows that are not rolled up yet stay; afterwards their chunks are dropped, and old buckets are compressed", async () => {
  for (const name of ["insertHistograms", "insertSamples", "markDue", "replaceHistograms"]) {
    await inTransaction(metrics, async (connection) => calls[name]?.(connection));
  }
  const now = new Date(Date.now() + 60 * DAY_MS);
  const countRows = async (table: string) =>
    (await metrics.query<{ count: number }>(`SELECT count(*)::int AS count FROM metric.${table}`)).rows[0]
      ?.count;
  const windowCount = await countRows("hist_raw");
  expect(windowCount).toBeGreaterThan(0);
  expect((await maintainPartitions(metrics, now))?.compressedCount).toBeGreaterThan(0);
  expect(await countRows("hist_raw")).toBe(windowCount);
  await metrics.query("DELETE FROM metric.rollup_due");
  expect((await maintainPartitions(metrics, now))?.droppedNames.length).toBeGreaterThan(0);
  expect([await countRows("hist_raw"), await countRows("sample_raw")]).toEqual([0, 0]);
  const { rows: compressed } = await metrics.query(
    "SELECT DISTINCT is_compressed FROM timescaledb_information.chunks WHERE hypertable_name = 'hist_10m'",
  );
  expect(compressed).toEqual([{ is_compressed: true }]);
  await metrics.query("UPDATE metric.hist_10m SET n = 7");
  const { rows } = await metrics.query("SELECT DISTINCT n::int FROM metric.hist_10m");
  expect(rows).toEqual([{ n: 7 }]);
});
