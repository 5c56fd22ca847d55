/** Reads the views as an SQL tool would: with a login that may read only them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { metricViews, readerRole, viewSchema } from "@stashlight/db/metrics";
import { testProfile } from "@stashlight/db/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { accept, createTestNode, useSharedInstallation } from "../../testing/index.ts";
import { runRollUp } from "../roll-up/roll-up.ts";

/**
 * Citus reads a view's tables on its workers as the querying role, so there the reader cannot be restricted to the
 * views.
 */
const isKept = testProfile() !== "citus";
const reader = isKept ? readerRole : "stashlight_app";

const { installation } = useSharedInstallation();
let endMs: number;

const drive = { tier: "stash", device: "s1" };

beforeAll(async () => {
  const { platform, clock } = installation;
  const nowMs = clock.now().getTime();
  endMs = Math.floor(nowMs / 3_600_000) * 3_600_000 - 3_600_000;
  const node = await createTestNode(platform, "stash-1");
  await accept(
    platform,
    ...[0, 10_000].map((laterMs, i) =>
      node.batch({
        endMs: endMs - 20_000 + laterMs,
        histograms: [["stashlight_fsync_seconds", drive, [0.001, 0.002, 0.006]]],
        gauges: [
          ["stashlight_client_connections", {}, 4 + 2 * i],
          ["stashlight_agent_spool_bytes", {}, 100],
        ],
        counters: [["stashlight_fsync_errors_total", drive, 5]],
      }),
    ),
  );
  await runRollUp(platform);
  if (!isKept) return;
  await installation.asOwner((tx) =>
    tx.$executeRawUnsafe(`GRANT ${reader} TO CURRENT_USER WITH SET TRUE, INHERIT FALSE`),
  );
});

/** Runs a query as the reader. */
const read = (sql: string): Promise<Record<string, unknown>[]> =>
  installation.asOwner(async (tx) => {
    await tx.$executeRawUnsafe(`SET LOCAL ROLE ${reader}`);
    return tx.$queryRawUnsafe<Record<string, unknown>[]>(sql);
  });

const named = { node: "stash-1", vault: "v", role: "stash", is_simulated: false };

test("bi.histogram_raw has a row per window, with its names, percentiles and average", async () => {
  const rows = await read("SELECT *, n::int AS n FROM bi.histogram_raw ORDER BY ts");
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({
    ...named,
    ts: new Date(endMs - 20_000),
    span_seconds: 10,
    metric: "stashlight_fsync_seconds",
    unit: "seconds",
    ...drive,
    labels: drive,
    n: 3,
    min: 0.001,
    max: 0.006,
  });
  expect(rows[0]?.avg).toBeCloseTo(0.003, 12);
  expect(rows[0]?.p50).toBeCloseTo(0.002, 4);
});

test.each([
  ["1m", 60],
  ["10m", 600],
  ["1h", 3600],
])("a roll-up to %s has one row per bucket", async (resolution, seconds) => {
  const bucket = { ...named, ts: new Date(endMs), span_seconds: seconds };
  expect(await read(`SELECT *, n::int AS n FROM bi.histogram_${resolution}`)).toMatchObject([
    { ...bucket, n: 6, min: 0.001, max: 0.006 },
  ]);
  expect(await read(`SELECT * FROM bi.gauge_${resolution} ORDER BY metric`)).toMatchObject([
    { ...bucket, metric: "stashlight_agent_spool_bytes", n: 2, avg: 100, min: 100, max: 100, last: 100 },
    { ...bucket, metric: "stashlight_client_connections", n: 2, avg: 5, min: 4, max: 6, last: 6 },
  ]);
  expect(await read(`SELECT * FROM bi.counter_${resolution}`)).toMatchObject([
    { ...bucket, metric: "stashlight_fsync_errors_total", increase: 10, per_second: 10 / seconds },
  ]);
});

test("bi.gauge_raw and bi.counter_raw have a row per window and series", async () => {
  expect(await read("SELECT last FROM bi.gauge_raw WHERE unit = 'count' ORDER BY ts")).toEqual([
    { last: 4 },
    { last: 6 },
  ]);
  expect(await read("SELECT increase, per_second FROM bi.counter_raw")).toEqual([
    { increase: 5, per_second: 0.5 },
    { increase: 5, per_second: 0.5 },
  ]);
});

test("the reader can read every view, and nothing else", async () => {
  expect(metricViews).toHaveLength(12);
  for (const view of metricViews) await read(`SELECT * FROM ${viewSchema}.${view} LIMIT 1`);
  if (!isKept) return;
  for (const table of ["metric.hist_raw", "metric.series", "public.node", "public.user_account"]) {
    await expect(read(`SELECT * FROM ${table}`)).rejects.toThrow("permission denied");
  }
  await expect(read(`DELETE FROM ${viewSchema}.histogram_raw`)).rejects.toThrow(
    /permission denied|cannot delete/,
  );
});

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly rawSql: string; readonly format: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] };
}

describe("the Grafana dashboard", async () => {
  const path = join(import.meta.dirname, "../../../../../grafana/stashlight.json");
  const dashboard = JSON.parse(await readFile(path, "utf8")) as Dashboard;
  const panels = dashboard.panels.filter(({ type }) => type !== "row");

  /** Fills in the query as Grafana's Postgres data source does. */
  const filled = (sql: string): string =>
    sql
      .replaceAll(/\$__timeFilter\((\w+)\)/g, "$1 BETWEEN now() - interval '6 hours' AND now()")
      .replaceAll(/\$\{(?:node|vault):sqlstring\}/g, "'stash-1', 'v'")
      .replaceAll(/\$\{resolution\}/g, "1m");

  test("has panels with unique names and queries", () => {
    expect(panels.length).toBeGreaterThanOrEqual(10);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    expect(panels.every(({ targets = [] }) => targets.length > 0)).toBe(true);
  });

  test.each(panels.map(({ title, targets = [] }) => [title, targets] as const))(
    "%s queries only what the reader may read",
    async (_, targets) => {
      for (const { rawSql, format } of targets) {
        const sql = filled(rawSql);
        expect(sql).not.toContain("$");
        const rows = await read(sql);
        if (format !== "time_series") continue;
        expect(rawSql).toMatch(/SELECT ts AS time, .* AS metric, .* AS value FROM bi\./);
        for (const row of rows) expect(Object.keys(row)).toEqual(["time", "metric", "value"]);
      }
    },
  );

  test("shows the stored data", async () => {
    const fsync = panels.find(({ title }) => title.startsWith("SSD sync p99"));
    expect(await read(filled(fsync?.targets?.[0]?.rawSql ?? ""))).toMatchObject([
      { metric: "stash-1 s1", value: expect.any(Number) },
    ]);
  });

  test("offers the existing nodes and vaults", async () => {
    for (const name of ["node", "vault"]) {
      const { query } = dashboard.templating.list.find((each) => each.name === name) ?? { query: "" };
      expect(await read(filled(query))).toHaveLength(1);
    }
  });

  test("offers a node that began a minute ago, without any hour rolled up", async () => {
    const { platform, clock } = installation;
    const node = await createTestNode(platform, "stash-2");
    const newest = clock.now().getTime() - 60_000;
    await accept(
      platform,
      node.batch({ endMs: newest, gauges: [["stashlight_agent_resident_bytes", {}, 80e6]] }),
    );
    const { query } = dashboard.templating.list.find(({ name }) => name === "node") ?? { query: "" };
    expect(await read(filled(query))).toEqual([{ node: "stash-1" }, { node: "stash-2" }]);
  });
});
