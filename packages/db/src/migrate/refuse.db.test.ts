import { afterEach, beforeEach, expect, test } from "vitest";
import { randomName, withClient } from "../testing/databases.ts";
import { createEmptyDatabase, type TestDatabase } from "../testing/index.ts";
import { makeMigrationsFolder } from "../testing/migrations-folder.ts";
import { migrateDatabase } from "./index.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createEmptyDatabase();
});

afterEach(() => database.drop());

const createPod = { "1_pod": "CREATE TABLE pod (id int);" };
const createBoth = { ...createPod, "2_stash": "CREATE TABLE stash (id int);" };

async function expectRefused(directory: string, sentence: string): Promise<void> {
  await expect(migrateDatabase({ ownerUrl: database.ownerUrl, directory })).rejects.toMatchObject({
    name: "StashlightError",
    code: "precondition_failed",
    message: sentence,
  });
}

const tableNames = () =>
  withClient(database.ownerUrl, async (client) => {
    const { rows } = await client.query(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    return rows.map(({ tablename }) => tablename);
  });

test("a migration that was edited after it was applied is named, and nothing is applied", async () => {
  const { directory, write } = makeMigrationsFolder(createPod);
  await migrateDatabase({ ownerUrl: database.ownerUrl, directory });
  write("1_pod", "CREATE TABLE pod (id bigint);");
  write("2_stash", createBoth["2_stash"]);
  await expectRefused(
    directory,
    "The migration 1_pod was edited after it was applied; put its migration.sql back and write a new migration for the change.",
  );
  expect(await tableNames()).toEqual(["_prisma_migrations", "pod"]);
});

test("a database of a newer Stashlight is refused", async () => {
  const newer = makeMigrationsFolder(createBoth);
  await migrateDatabase({ ownerUrl: database.ownerUrl, directory: newer.directory });
  const older = makeMigrationsFolder(createPod);
  await expectRefused(
    older.directory,
    "The database has the migration 2_stash, which this Stashlight does not know: it was used by a newer version; start that one.",
  );
});

test("a database with tables of another product is refused and left unchanged", async () => {
  await withClient(database.ownerUrl, (client) => client.query("CREATE TABLE invoice (id int)"));
  const { directory } = makeMigrationsFolder(createPod);
  await expectRefused(
    directory,
    "The database contains tables of another product (invoice); give Stashlight a database of its own.",
  );
  expect(await tableNames()).toEqual(["invoice"]);
});

test.each([
  ["finished", "now()"],
  ["unfinished", "NULL"],
])(
  "a database of another Prisma project with %s migrations is refused and left unchanged",
  async (_, finishedAt) => {
    const other = makeMigrationsFolder({ "1_invoice": "CREATE TABLE invoice (id int);" });
    await migrateDatabase({ ownerUrl: database.ownerUrl, directory: other.directory });
    await withClient(database.ownerUrl, (client) =>
      client.query(`UPDATE _prisma_migrations SET finished_at = ${finishedAt}`),
    );
    const { directory } = makeMigrationsFolder(createPod);
    await expectRefused(
      directory,
      "The database contains tables of another product (_prisma_migrations of another project); give Stashlight a database of its own.",
    );
    await withClient(database.ownerUrl, async (client) => {
      const { rows } = await client.query("SELECT rolled_back_at FROM _prisma_migrations");
      expect(rows).toEqual([{ rolled_back_at: null }]);
    });
  },
);

test("a role that may not grant itself the runtime role gets the command for an administrator", async () => {
  const role = randomName("stashlight_limited");
  await withClient(database.ownerUrl, (client) =>
    client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`),
  );
  const url = new URL(database.ownerUrl);
  url.username = role;
  url.password = role;
  const { directory } = makeMigrationsFolder(createPod);
  try {
    await expect(migrateDatabase({ ownerUrl: url.href, directory })).rejects.toMatchObject({
      code: "precondition_failed",
      message: `The database role ${role} may not grant the role stashlight_app; ask an administrator to run: GRANT stashlight_app TO "${role}";`,
    });
    expect(await tableNames()).toEqual([]);
  } finally {
    await withClient(database.ownerUrl, (client) => client.query(`DROP ROLE ${role}`));
  }
});

test("a database that refuses the password is reported with what to check", async () => {
  const url = new URL(database.ownerUrl);
  url.password = "wrong";
  await expect(migrateDatabase({ ownerUrl: url.href })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/^The database does not answer \(.+\); check the address, the password/),
  });
});
