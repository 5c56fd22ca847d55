import { afterEach, beforeEach, expect, test } from "vitest";
import { withClient } from "../testing/databases.ts";
import { createEmptyDatabase, type TestDatabase } from "../testing/index.ts";
import { makeMigrationsFolder } from "../testing/migrations-folder.ts";
import { migrateDatabase, readPendingMigrations } from "./index.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

test("pending migrations are returned by name, and nothing is applied", async () => {
  const { directory, write } = makeMigrationsFolder({ "1_first": "CREATE TABLE first (id int);" });
  const { ownerUrl: url } = database;
  expect(await readPendingMigrations({ url, directory })).toEqual(["1_first"]);
  await migrateDatabase({ ownerUrl: url, directory });
  write("2_second", "CREATE TABLE second (id int);");
  expect(await readPendingMigrations({ url, directory })).toEqual(["2_second"]);
  await migrateDatabase({ ownerUrl: url, directory });
  expect(await readPendingMigrations({ url, directory })).toEqual([]);
});

test("any profile is accepted unless one is requested", async () => {
  const { directory, write } = makeMigrationsFolder({ "1_store": "CREATE TABLE store (id int);" });
  write("1_store", "CREATE TABLE spread_store (id int);", "migration.citus.sql");
  const { ownerUrl: url } = database;
  await migrateDatabase({ ownerUrl: url, directory });
  expect(await readPendingMigrations({ url, directory })).toEqual([]);
  expect(await readPendingMigrations({ url, directory, profile: "plain" })).toEqual([]);
  await expect(readPendingMigrations({ url, directory, profile: "citus" })).rejects.toMatchObject({
    code: "precondition_failed",
    message:
      "The database was created with the storage profile plain, but citus was requested; a database keeps its profile, so request plain, or citus with a new database.",
  });
});

test("a database of a newer version, and one of another product, are refused", async () => {
  const newer = makeMigrationsFolder({ "1_a": "SELECT 1;", "2_b": "SELECT 1;" });
  const { ownerUrl: url } = database;
  await migrateDatabase({ ownerUrl: url, directory: newer.directory });
  const older = makeMigrationsFolder({ "1_a": "SELECT 1;" });
  await expect(readPendingMigrations({ url, directory: older.directory })).rejects.toThrow(
    "it was used by a newer version; start that one.",
  );
  await withClient(url, (client) =>
    client.query("DROP TABLE _prisma_migrations; CREATE TABLE cats (id int)"),
  );
  await expect(readPendingMigrations({ url, directory: older.directory })).rejects.toThrow(
    "The database contains tables of another product",
  );
});
