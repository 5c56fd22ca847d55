import { afterEach, beforeEach, expect, test } from "vitest";
import { withClient } from "../testing/databases.ts";
import { createEmptyDatabase, type TestDatabase } from "../testing/index.ts";
import { makeMigrationsFolder } from "../testing/migrations-folder.ts";
import { migrateDatabase } from "./index.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

const tables = () =>
  withClient(database.ownerUrl, async (client) => {
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    return rows.map(({ tablename }) => tablename);
  });

test.each([
  ["timescale", "timescaledb"],
  ["citus", "citus"],
] as const)(
  "the profile %s is refused without its extension before anything is created",
  async (profile, name) => {
    await expect(migrateDatabase({ ownerUrl: database.ownerUrl, profile })).rejects.toMatchObject({
      code: "precondition_failed",
      message: `The storage profile ${profile} needs the extension ${name}, which this database does not have; an administrator runs CREATE EXTENSION ${name} in it, or choose the profile plain with another database.`,
    });
    expect(await tables()).toEqual([]);
  },
);

test("a database keeps the profile with which it was created", async () => {
  const { directory, write } = makeMigrationsFolder({ "1_store": "CREATE TABLE store (id int);" });
  write("1_store", "CREATE TABLE spread_store (id int);", "migration.citus.sql");
  const { ownerUrl } = database;
  await migrateDatabase({ ownerUrl, directory });
  expect(await tables()).toContain("store");
  await expect(migrateDatabase({ ownerUrl, directory, profile: "citus" })).rejects.toMatchObject({
    code: "precondition_failed",
    message:
      "The database was created with the storage profile plain, but citus was requested; a database keeps its profile, so request plain, or citus with a new database.",
  });
  expect(await migrateDatabase({ ownerUrl, directory })).toEqual({ applied: [] });
});
