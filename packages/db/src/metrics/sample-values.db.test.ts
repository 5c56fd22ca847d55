/** Tests rows of samples through each of their readers: charts, the roll-up and the views. */

import { randomUUID } from "node:crypto";
import type { MetricUnit } from "@stashlight/contracts/metrics";
import { MINUTE_MS } from "@stashlight/contracts/time";
import fc from "fast-check";
import type pg from "pg";
import { afterEach, expect, test } from "vitest";
import { migrateDatabase } from "../migrate/index.ts";
import { migrationsDirectory, readMigrations } from "../migrate/migrations.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { makeMigrationsFolder } from "../testing/migrations-folder.ts";
import { inTransaction, openMetricClient } from "./client.ts";
import { copySamples } from "./copy-rows.ts";
import { readSamples, unpackSamples } from "./read-windows.ts";
import { rollUpSamples } from "./roll-up.ts";
import { arrangeSamples, orderSamples } from "./sample-values.ts";
import { dayNumber, useLayouts } from "./series.ts";
import { findLayouts } from "./stored-series.ts";
import { insertSamples, type SampleRow } from "./write-rows.ts";

const WATERMARKS = { "1m": 0, "10m": 0, "1h": 0 };
let database: TestDatabase | undefined;
let client: pg.Pool;

function use(made: TestDatabase): void {
  database = made;
  client = openMetricClient({
    url: made.runtimeUrl,
    purpose: "tool",
    applicationName: "test",
    connectionsMax: 2,
  });
}

afterEach(async () => {
  await client.end();
  await database?.drop();
});

const endOfMinuteMs = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

interface Series {
  readonly gauges: readonly MetricUnit[];
  readonly counters: readonly MetricUnit[];
}

/** Creates a node with these series, named after their positions in a window. */
async function createNode({ gauges, counters }: Series) {
  const nodeId = randomUUID();
  await client.query(
    "INSERT INTO public.node (id, name, vault, role, status) VALUES ($1, $2, 'v', 'stash', 'active')",
    [nodeId, `stash ${nodeId}`],
  );
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO metric.series (node_id, id, metric, kind, unit, labels)
     SELECT $1, nextval('metric.id'), 'm', CASE WHEN place <= $3 THEN 'gauge' ELSE 'counter' END, unit,
            jsonb_build_object('place', (place - 1)::text)
       FROM unnest($2::text[]) WITH ORDINALITY AS s (unit, place) ORDER BY place RETURNING id`,
    [nodeId, [...gauges, ...counters], gauges.length],
  );
  return { nodeId, ids: rows.map(({ id }) => id), gaugeCount: gauges.length };
}

type Node = Awaited<ReturnType<typeof createNode>>;

async function createLayout({ nodeId, ids, gaugeCount }: Node, { gauges, counters }: Series) {
  const order = orderSamples(gauges, counters);
  const seriesIds = order.all.map((index) => ids[index] as number);
  const layout = { nodeId, seriesIds, gaugeCount, narrowAfter: order.narrowAfter };
  const layouts = await useLayouts(client, [layout], dayNumber(Date.now()));
  return { order, layoutId: layouts[0] as number };
}

/** Reads samples by window and series, as a chart's query does. */
async function readBack({ nodeId, ids, gaugeCount }: Node): Promise<Map<number, number[]>> {
  const windows = new Map<number, number[]>();
  for (const { layoutId, seriesIds, narrowAfter } of await findLayouts(client, [nodeId])) {
    for (const kind of ["gauge", "counter"] as const) {
      const wanted = ids.slice(...(kind === "gauge" ? [0, gaugeCount] : [gaugeCount]));
      if (wanted.length === 0) continue;
      const rawOffset = kind === "gauge" ? 0 : gaugeCount;
      const places = wanted.map((id) => seriesIds.indexOf(id) - rawOffset + 1);
      const range = { resolution: "raw", fromMs: 0, toMs: Date.now() + MINUTE_MS } as const;
      const source = { nodeId, layoutId, watermarks: WATERMARKS, rawOffset, narrowAfter, places };
      const [packed = ""] = await readSamples(client, kind, range, [source]);
      for (const { atMs, place, last } of unpackSamples(Buffer.from(packed, "hex"), places.length)) {
        const window = windows.get(atMs + 5000) ?? [];
        windows.set(atMs + 5000, window);
        window[rawOffset + place] = last;
      }
    }
  }
  return windows;
}

const counts = (count: number): MetricUnit[] => Array(count).fill("shards");

const anyValue = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 2 ** 24 }), weight: 40 },
  fc.double({ noNaN: true }),
  fc.constantFrom(-0, 2 ** 24 + 1, Number.MIN_VALUE, 2 ** -149, Number.MAX_VALUE, Number.POSITIVE_INFINITY),
);

// Counts of positions below and above the limit for separate columns.
test.each([
  { gauges: [...counts(4), "bytes"], counters: [...counts(4), "seconds"] },
  { gauges: ["bytes", ...counts(20), "bytes"], counters: ["seconds", ...counts(12), "bytes"] },
  { gauges: counts(9), counters: [] },
  { gauges: [], counters: ["bytes", ...counts(9)] },
] satisfies Series[])(
  "written values are read back exactly after COPY and after INSERT: %j",
  async (series) => {
    use(await createTestDatabase());
    const node = await createNode(series);
    const { order, layoutId } = await createLayout(node, series);
    const placeCount = node.ids.length;
    const endMs = endOfMinuteMs();
    const windows = fc.sample(fc.array(anyValue, { minLength: placeCount, maxLength: placeCount }), {
      numRuns: 60,
      seed: 7,
    });
    const rows = windows.map(
      (samples, i): SampleRow => ({
        nodeId: node.nodeId,
        layoutId,
        spanMs: 10_000,
        tsMs: endMs - i * 10_000,
        ...arrangeSamples(order, samples),
      }),
    );
    expect(new Set(rows.map(({ narrow }) => narrow === null))).toEqual(new Set([true, false]));
    await inTransaction(client, (connection) => copySamples(connection, rows.slice(30)));
    await insertSamples(client, rows.slice(0, 30));
    const found = await readBack(node);
    expect(found.size).toBe(60);
    for (const [i, samples] of windows.entries()) expect(found.get(endMs - i * 10_000)).toEqual(samples);
  },
);

const rawOfViews = async (): Promise<unknown[]> => {
  const { rows } = await client.query(
    `SELECT ts, (labels ->> 'place')::int AS place, last AS value FROM bi.gauge_raw
     UNION ALL SELECT ts, (labels ->> 'place')::int, increase FROM bi.counter_raw ORDER BY 1, 2`,
  );
  return rows;
};

/** Reads a layout's levels and increases of a minute, by the position of a series in a window. */
const readMinute = async (layoutId: number): Promise<number[]> => {
  const { rows } = await client.query<{ value: number }>(
    `SELECT v.value FROM metric.gauge_1m AS g JOIN metric.counter_1m AS c USING (node_id, ts, layout_id)
       JOIN metric.sample_layout AS l ON l.id = layout_id
       JOIN LATERAL unnest(l.series_ids, g.lasts || c.values) AS v (series_id, value) ON true
       JOIN metric.series AS s ON s.id = v.series_id
      WHERE layout_id = $1 ORDER BY (s.labels ->> 'place')::int`,
    [layoutId],
  );
  return rows.map(({ value }) => value);
};

test("rows and layouts from before narrow values are read unchanged, together with later ones", async () => {
  use(await createEmptyDatabase());
  const { ownerUrl } = database as TestDatabase;
  const all = await readMigrations(migrationsDirectory);
  const before = all.filter(({ name }) => name < "20261121224000_narrow_samples");
  const scripts = Object.fromEntries(before.map(({ name, sql }) => [name, sql]));
  await migrateDatabase({ ownerUrl, directory: makeMigrationsFolder(scripts).directory });
  const series: Series = { gauges: [...counts(5), "bytes"], counters: [...counts(5), "seconds"] };
  const node = await createNode(series);
  const { nodeId, ids, gaugeCount } = node;
  const [endMs, oldMs] = [endOfMinuteMs(), endOfMinuteMs() - 50_000];
  const old = [...ids.keys()].map((place) => 100 + place);
  await client.query(
    "INSERT INTO metric.sample_layout (node_id, id, series_ids, gauge_count, digest) VALUES ($1, 1, $2, $3, '')",
    [nodeId, ids, gaugeCount],
  );
  await client.query(
    "INSERT INTO metric.sample_raw (node_id, ts, layout_id, span_ms, values) VALUES ($1, $2, 1, 10000, $3)",
    [nodeId, new Date(oldMs), old],
  );
  const seenOf = (tsMs: number, values: readonly number[]) =>
    values.map((value, place) => ({ ts: new Date(tsMs), place, value }));
  expect(await rawOfViews()).toEqual(seenOf(oldMs, old));

  await migrateDatabase({ ownerUrl });
  const { order, layoutId } = await createLayout(node, series);
  const since = old.map((value) => value + 1000);
  const values = arrangeSamples(order, since);
  expect(values.narrow).toHaveLength(10);
  await insertSamples(client, [{ nodeId, layoutId, spanMs: 10_000, tsMs: endMs, ...values }]);
  const windows = [
    [oldMs, old],
    [endMs, since],
  ] as const;
  expect(await readBack(node)).toEqual(new Map<number, readonly number[]>(windows));
  expect(await rawOfViews()).toEqual(windows.flatMap(([tsMs, each]) => seenOf(tsMs, each)));
  await rollUpSamples(client, "1m", [{ nodeId, tsMs: endMs }]);
  expect(await readMinute(1)).toEqual(old);
  expect(await readMinute(layoutId)).toEqual(since);
});
