import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrationsDirectory, scriptName } from "../migrate/migrations.ts";
import { STORAGE_PROFILES } from "../migrate/storage-profile.ts";
import { fleetSchemaSql, metricSchemaSql, seriesUseSql, traceSchemaSql } from "./schema.ts";
import { metricTables } from "./table-definitions.ts";
import { metricViewsSql, narrowSamplesSql } from "./views.ts";

const generated = [
  ["20261121150000_metric_store", metricSchemaSql],
  ["20261121154000_upload_traces", traceSchemaSql],
  ["20261121163000_metric_fleets", fleetSchemaSql],
] as const;

test.each(
  generated.flatMap(([name, sqlOf]) => STORAGE_PROFILES.map((profile) => [name, profile, sqlOf] as const)),
)(
  "the migration %s of the profile %s equals the SQL that the code generates",
  async (name, profile, sqlOf) => {
    const path = join(migrationsDirectory, name, scriptName(profile));
    expect(await readFile(path, "utf8")).toBe(sqlOf(profile));
  },
);

test("the views of Citus and of the other profiles equal the SQL that the code generates", async () => {
  const directory = join(migrationsDirectory, "20261121160000_metric_views");
  expect((await readdir(directory)).sort()).toEqual(["migration.citus.sql", "migration.sql"]);
  for (const profile of ["plain", "citus"] as const) {
    expect(await readFile(join(directory, scriptName(profile)), "utf8")).toBe(metricViewsSql(profile));
  }
});

test.each([
  ["20261121224000_narrow_samples", narrowSamplesSql],
  ["20261122104500_series_use", seriesUseSql],
] as const)(
  "the migration %s equals the SQL that the code generates, in every profile",
  async (name, sqlOf) => {
    const directory = join(migrationsDirectory, name);
    expect(await readdir(directory)).toEqual(["migration.sql"]);
    expect(await readFile(join(directory, "migration.sql"), "utf8")).toBe(sqlOf());
  },
);

test.each(STORAGE_PROFILES)(
  "every table of the profile %s can be distributed and partitioned by time",
  (profile) => {
    const sql = metricSchemaSql(profile);
    for (const { name, key } of metricTables) {
      expect(key.split(", "), name).toEqual(expect.arrayContaining(["node_id", "ts"]));
    }
    expect(sql).not.toMatch(/REFERENCES|TRIGGER|PARTITION OF \w+ DEFAULT|FOR VALUES DEFAULT|lz4/);
  },
);
