/** The other storage profiles, on a server that has their extension: where there is one to run them on. */
import pg from "pg";
import { describe, expect, test } from "vitest";
import { ensureRuntimeRole } from "../migrate/runtime-role.ts";
import { createDatabase, dropDatabase, randomName, urlOfDatabase } from "../testing/databases.ts";
import { metricSchemaSql, traceSchemaSql } from "./schema.ts";

const servers = [
  { profile: "timescale", extension: "timescaledb", url: process.env.STASHLIGHT_TEST_TIMESCALE_URL },
  { profile: "citus", extension: "citus", url: process.env.STASHLIGHT_TEST_CITUS_URL },
] as const;

describe.each(servers)("profile $profile", ({ profile, extension, url }) => {
  test.skipIf(url === undefined)("makes tables that take rows and give them back", async () => {
    const name = randomName("stashlight_profile");
    await createDatabase(url as string, name);
    const client = new pg.Client({ connectionString: urlOfDatabase(url as string, name) });
    await client.connect();
    try {
      await client.query(`CREATE EXTENSION ${extension}`);
      await ensureRuntimeRole(client);
      await client.query(metricSchemaSql(profile));
      await client.query(traceSchemaSql(profile));
      await client.query(
        `INSERT INTO metric.sample_raw (node_id, ts, layout_id, span_ms, values)
         SELECT gen_random_uuid(), now(), i, 10000, ARRAY[i] FROM generate_series(1, 10) AS i`,
      );
      const { rows } = await client.query("SELECT sum(values[1]) AS sum FROM metric.sample_raw");
      expect(rows).toEqual([{ sum: 55 }]);
    } finally {
      await client.end();
      await dropDatabase(url as string, name);
    }
  });
});
