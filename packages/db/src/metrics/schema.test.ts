import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrationsDirectory } from "../migrate/migrations.ts";
import { metricTables } from "./layout.ts";
import { metricSchemaSql, STORAGE_PROFILES, traceSchemaSql } from "./schema.ts";
import { metricViewsSql } from "./views.ts";

test.each([
  ["20261121150000_metric_store", metricSchemaSql],
  ["20261121154000_upload_traces", traceSchemaSql],
] as const)("the migration %s is the plain profile", async (name, sqlOf) => {
  const path = join(migrationsDirectory, name, "migration.sql");
  expect(await readFile(path, "utf8")).toBe(sqlOf("plain"));
});

test("the migration of the views is what the views are", async () => {
  const path = join(migrationsDirectory, "20261121160000_metric_views", "migration.sql");
  expect(await readFile(path, "utf8")).toBe(metricViewsSql());
});

test.each(["timescale", "citus"] as const)("the SQL of %s is what was reviewed", async (profile) => {
  const sql = `${metricSchemaSql(profile)}\n${traceSchemaSql(profile)}`;
  await expect(sql).toMatchFileSnapshot(`golden/${profile}.sql`);
});

test.each(STORAGE_PROFILES)("what lets a table of %s be spread and cut by time holds", (profile) => {
  const sql = metricSchemaSql(profile);
  for (const { name, key } of metricTables) {
    expect(key.split(", "), name).toEqual(expect.arrayContaining(["node_id", "ts"]));
  }
  expect(sql).not.toMatch(/REFERENCES|TRIGGER|PARTITION OF \w+ DEFAULT|FOR VALUES DEFAULT|lz4/);
});
