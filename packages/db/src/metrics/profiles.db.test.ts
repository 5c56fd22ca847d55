/** The other storage profiles, on a server that has their extension: where there is one to run them on. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { migrateDatabase } from "../migrate/index.ts";
import { createDatabase, dropDatabase, randomName, urlOfDatabase } from "../testing/databases.ts";
import { inTransaction } from "./client.ts";
import { forgetUnused } from "./forget.ts";
import { countSeries, dayOf, findLayoutIds, readSeries, useLayouts, useSeries } from "./series.ts";
import { metricViews } from "./views.ts";

const servers = [
  { profile: "timescale", extension: "timescaledb", url: process.env.STASHLIGHT_TEST_TIMESCALE_URL },
  { profile: "citus", extension: "citus", url: process.env.STASHLIGHT_TEST_CITUS_URL },
] as const;

describe.each(servers)("profile $profile", ({ profile, extension, url = "" }) => {
  test.skipIf(url === "")("makes tables that take rows and give them back, and views of them", async () => {
    const name = randomName("stashlight_profile");
    const ownerUrl = urlOfDatabase(url, name);
    await createDatabase(url, name);
    const client = new pg.Pool({ connectionString: ownerUrl, max: 1 });
    try {
      await expect(migrateDatabase({ ownerUrl, profile })).rejects.toThrow(`CREATE EXTENSION ${extension}`);
      await client.query(`CREATE EXTENSION ${extension}`);
      await migrateDatabase({ ownerUrl, profile });
      expect(await migrateDatabase({ ownerUrl, profile })).toEqual({ applied: [] });
      await expect(migrateDatabase({ ownerUrl })).rejects.toThrow(`storage profile ${profile}`);
      await client.query(
        `INSERT INTO metric.sample_raw (node_id, ts, layout_id, span_ms, values)
         SELECT gen_random_uuid(), now(), i, 10000, ARRAY[i] FROM generate_series(1, 10) AS i`,
      );
      const { rows } = await client.query("SELECT sum(values[1]) AS sum FROM metric.sample_raw");
      expect(rows).toEqual([{ sum: 55 }]);
      const nodeId = randomUUID();
      const series = { nodeId, metric: "m", kind: "gauge", unit: "count", labels: { device: "d" } };
      const layout = (ids: number[]) => ({ nodeId, seriesIds: ids, gaugeCount: 1, narrowAfter: 0 });
      const ids = await useSeries(client, [series], dayOf(0));
      expect(await useSeries(client, [series], dayOf(0))).toEqual(ids);
      const layouts = await useLayouts(client, [layout(ids)], dayOf(0));
      expect(await findLayoutIds(client, [layout(ids), layout([])])).toEqual([...layouts, undefined]);
      expect(await readSeries(client, [nodeId], 10)).toMatchObject([{ id: ids[0], usedOn: 0 }]);
      expect(await countSeries(client)).toBe(1);
      expect(await inTransaction(client, (each) => forgetUnused(each, new Date()))).toEqual({
        layoutCount: 1,
        seriesCount: 1,
      });
      for (const view of metricViews) await client.query(`SELECT FROM bi."${view}" LIMIT 1`);
    } finally {
      await client.end();
      await dropDatabase(url, name);
    }
  });
});
