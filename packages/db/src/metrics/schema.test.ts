/** Tests that the scripts of the storage profiles create the same tables, and that the code knows them. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "@stashlight/contracts/time";
import { describe, expect, test } from "vitest";
import { migrationsDirectory, scriptName } from "../migrate/migrations.ts";
import { STORAGE_PROFILES, type StorageProfile } from "../migrate/storage-profile.ts";
import { PARTITION_DAYS, RETENTION_MS } from "./retention.ts";
import { metricTables } from "./table-definitions.ts";
import { metricViews, viewSchema } from "./views.ts";

const METRIC_STORE = "20261121150000_metric_store";
const VIEWS = "20261121160000_metric_views";

/** Statements of a script, without the comment at its head. */
async function readStatements(name: string, profile: StorageProfile): Promise<string[]> {
  const script = await readFile(join(migrationsDirectory, name, scriptName(profile)), "utf8");
  return script.trimEnd().split("\n\n").slice(1);
}

/** Statements that cut tables by time and by node, or that Citus runs before the script. */
const CUT =
  /^(SELECT (public\.)?create_|CREATE FUNCTION metric\.ensure_partitions|CREATE SCHEMA (metric|bi) AUTHORIZATION)/;

const withoutCut = (statements: readonly string[]): string[] =>
  statements
    .filter((statement) => !CUT.test(statement))
    .map((statement) => statement.replace(" PARTITION BY RANGE (ts);", ";"));

test.each([
  [METRIC_STORE, "timescale"],
  [METRIC_STORE, "citus"],
  ["20261121154000_upload_traces", "timescale"],
  ["20261121154000_upload_traces", "citus"],
  ["20261121163000_metric_fleets", "timescale"],
  ["20261121163000_metric_fleets", "citus"],
  [VIEWS, "citus"],
] as const)(
  "the migration %s of the profile %s differs only in how tables are partitioned",
  async (name, profile) => {
    const [plain, other] = await Promise.all([readStatements(name, "plain"), readStatements(name, profile)]);
    expect(withoutCut(other)).toEqual(withoutCut(plain));
  },
);

test.each([
  [VIEWS, ["migration.citus.sql", "migration.sql"]],
  ["20261121224000_narrow_samples", ["migration.sql"]],
  ["20261122104500_series_use", ["migration.sql"]],
])("the migration %s has the scripts %j", async (name, scripts) => {
  expect((await readdir(join(migrationsDirectory, name))).sort()).toEqual(scripts);
});

/** Names of the tables that these statements create, each with its columns and its primary key. */
const createdTables = (statements: readonly string[]): Map<string, string> =>
  new Map(
    statements.flatMap((statement) => {
      const [, name, body] = /^CREATE TABLE metric\.(\w+) \(\n(.*)\n\)/s.exec(statement) ?? [];
      return name === undefined || body === undefined ? [] : [[name, body]];
    }),
  );

describe.each(STORAGE_PROFILES)("in the profile %s", (profile) => {
  test("every table can be distributed and partitioned by time", async () => {
    const statements = await readStatements(METRIC_STORE, profile);
    const tables = createdTables(statements);
    for (const { name, key } of metricTables) {
      expect(key.split(", "), name).toEqual(expect.arrayContaining(["node_id", "ts"]));
      expect(tables.get(name), name).toMatch(/^ {2}node_id uuid NOT NULL,\n/);
      expect(tables.get(name), name).toContain("\n  ts timestamptz NOT NULL,\n");
      expect(tables.get(name)?.endsWith(`\n  PRIMARY KEY (${key})`), name).toBe(true);
    }
    expect(statements.join("\n")).not.toMatch(
      /REFERENCES|TRIGGER|PARTITION OF \w+ DEFAULT|FOR VALUES DEFAULT|lz4/,
    );
  });
});

/** Partitions cover the time since raw windows are kept, and a week ahead. */
test.each(["plain", "citus"] as const)("the profile %s partitions as the code expects", async (profile) => {
  const statements = await readStatements(METRIC_STORE, profile);
  const makePartitions = statements.find((each) => each.startsWith("CREATE FUNCTION")) ?? "";
  const rows = [...makePartitions.matchAll(/^ {8}\('(\w+)', (\d+), (\d+)\)/gm)];
  expect(rows.map(([, name, days]) => [name, Number(days)])).toEqual(
    metricTables.map(({ name, resolution }) => [name, PARTITION_DAYS[resolution]]),
  );
  expect(rows.filter(([, , days, ahead]) => Number(days) * Number(ahead) < 7)).toEqual([]);
  expect(makePartitions).toContain(
    `(extract(epoch FROM at) / 86400 - ${RETENTION_MS.raw / DAY_MS}) / t.days`,
  );
  const partitioned = statements.flatMap((each) =>
    each.endsWith(" PARTITION BY RANGE (ts);") ? [...createdTables([each]).keys()] : [],
  );
  expect(partitioned).toEqual(metricTables.map(({ name }) => name));
});

test("TimescaleDB divides each metric table into chunks of as many days as a partition", async () => {
  const statements = await readStatements(METRIC_STORE, "timescale");
  expect(statements.filter((each) => each.includes("create_hypertable"))).toEqual(
    metricTables.map(
      ({ name, resolution }) =>
        `SELECT public.create_hypertable('metric.${name}', public.by_range('ts', INTERVAL '${PARTITION_DAYS[resolution]} days'), create_default_indexes => false);`,
    ),
  );
});

/** Roll-ups take marks under locks, which works badly across machines, so these tables stay on one. */
const CENTRAL_TABLES = ["rollup_due", "rollup_watermark"];

test("Citus distributes all tables by node, beside the series, except those of the roll-up", async () => {
  const statements = await readStatements(METRIC_STORE, "citus");
  const names = [...createdTables(statements).keys()].filter((name) => !CENTRAL_TABLES.includes(name));
  expect(statements.filter((each) => each.includes("create_distributed_table"))).toEqual(
    names.map((name) => {
      const beside = name === "series" ? "" : ", colocate_with => 'metric.series'";
      return `SELECT create_distributed_table('metric.${name}', 'node_id'${beside});`;
    }),
  );
  expect(await readStatements("20261121154000_upload_traces", "citus")).toContain(
    "SELECT create_distributed_table('metric.upload_trace', 'node_id', colocate_with => 'metric.series');",
  );
  expect(await readStatements("20261121163000_metric_fleets", "citus")).toEqual(
    expect.arrayContaining(
      ["fleet", "fleet_member"].map((name) => `SELECT create_reference_table('metric.${name}');`),
    ),
  );
});

test("the code lists the views that the migration creates", async () => {
  const statements = await readStatements(VIEWS, "plain");
  expect(statements.flatMap((each) => /^CREATE VIEW (\S+) AS/.exec(each)?.[1] ?? [])).toEqual(
    metricViews.map((name) => `${viewSchema}.${name}`),
  );
});
