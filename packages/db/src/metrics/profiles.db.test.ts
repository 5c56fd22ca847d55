/** Tests the start of a database with this engine's profile. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrateDatabase } from "../migrate/index.ts";
import { withClient } from "../testing/databases.ts";
import { createTestDatabase, type TestDatabase, testProfile } from "../testing/index.ts";

const profile = testProfile();
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

test("an owner without superuser rights can migrate, and the next start applies nothing", async () => {
  const { ownerUrl } = database;
  const { rows } = await withClient(ownerUrl, (client) =>
    client.query("SELECT rolsuper FROM pg_roles WHERE rolname = current_user"),
  );
  expect(rows).toEqual([{ rolsuper: false }]);
  expect(await migrateDatabase({ ownerUrl, profile })).toEqual({ applied: [] });
  const other = profile === "plain" ? "citus" : "plain";
  await expect(migrateDatabase({ ownerUrl, profile: other })).rejects.toThrow(`storage profile ${profile}`);
});

test("startup is refused if a table is ordinary instead of partitioned, and names the table", async () => {
  const { ownerUrl } = database;
  await withClient(ownerUrl, async (client) => {
    await client.query("SET ROLE stashlight_app");
    await client.query("ALTER TABLE metric.hist_1h RENAME TO hist_1h_aside");
    await client.query("CREATE TABLE metric.hist_1h (node_id uuid, series_id integer, ts timestamptz)");
  });
  await expect(migrateDatabase({ ownerUrl, profile })).rejects.toMatchObject({
    code: "precondition_failed",
    message: expect.stringMatching(
      `^The storage profile ${profile} needs tables that are .*; these are not: metric.hist_1h, as after a restore`,
    ),
  });
});
