import { StashlightError } from "@stashlight/contracts/errors";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withClient } from "../testing/databases.ts";
import { createEmptyDatabase, type TestDatabase } from "../testing/index.ts";
import { makeMigrationsFolder } from "../testing/migrations-folder.ts";
import { migrateDatabase } from "./index.ts";
import { migrationsDirectory, readMigrations } from "./migrations.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createEmptyDatabase();
});

afterEach(() => database.drop());

async function column(sql: string): Promise<unknown[]> {
  const { rows } = await withClient(database.ownerUrl, (client) =>
    client.query({ text: sql, rowMode: "array" }),
  );
  return rows.flat();
}

const tables = () =>
  column(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1",
  );

const finishedMigrations = () =>
  column("SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY started_at");

describe("the project's migrations", () => {
  test("apply from nothing, and a second start applies none", async () => {
    const names = (await readMigrations(migrationsDirectory)).map(({ name }) => name);
    expect(await migrateDatabase({ ownerUrl: database.ownerUrl })).toEqual({ applied: names });
    expect(await tables()).toContain("audit_event");
    expect(await migrateDatabase({ ownerUrl: database.ownerUrl })).toEqual({ applied: [] });
    expect(await finishedMigrations()).toEqual(names);
  });

  test("apply once even if two processes start at the same time", async () => {
    const both = await Promise.all([1, 2].map(() => migrateDatabase({ ownerUrl: database.ownerUrl })));
    const names = (await readMigrations(migrationsDirectory)).map(({ name }) => name);
    expect(both.flatMap(({ applied }) => applied)).toEqual(names);
    expect(await column("SELECT migration_name FROM _prisma_migrations")).toEqual(names);
  });

  test("are consistent with the list of recorded checksums", async () => {
    await migrateDatabase({ ownerUrl: database.ownerUrl });
    const checksums = (await readMigrations(migrationsDirectory)).map(({ checksum }) => checksum);
    expect(await column("SELECT checksum FROM _prisma_migrations ORDER BY started_at")).toEqual(checksums);
  });
});

const severalStatements = `
CREATE TABLE pod (id int PRIMARY KEY, note text DEFAULT 'a;b');
CREATE FUNCTION pod_count() RETURNS bigint LANGUAGE plpgsql AS $fn$ BEGIN RETURN (SELECT count(*) FROM pod); END; $fn$;
DO $$ BEGIN FOR i IN 1..3 LOOP INSERT INTO pod (id) VALUES (i); END LOOP; END $$
-- a comment at the end, and no semicolon`;

test("a script keeps semicolons in bodies and strings", async () => {
  const { directory } = makeMigrationsFolder({ "1_pod": severalStatements });
  expect(await migrateDatabase({ ownerUrl: database.ownerUrl, directory })).toEqual({ applied: ["1_pod"] });
  expect(await column("SELECT pod_count()")).toEqual(["3"]);
  expect(await column("SELECT DISTINCT note FROM pod")).toEqual(["a;b"]);
});

describe("a migration whose last statement fails", () => {
  const failing = "CREATE TABLE stash (id int);\nDO $$ BEGIN PERFORM 1; END $$;\nSELECT 1 / 0;";

  function migrateFailing(directory: string): Promise<unknown> {
    return migrateDatabase({ ownerUrl: database.ownerUrl, directory }).catch((error: unknown) => error);
  }

  test("changes nothing, keeps the migrations before it, and is reported at every start", async () => {
    const { directory } = makeMigrationsFolder({ "1_pod": severalStatements, "2_stash": failing });
    for (const start of ["first", "second"]) {
      const error = await migrateFailing(directory);
      expect(error, start).toBeInstanceOf(StashlightError);
      expect(error, start).toHaveProperty(
        "message",
        "The migration 2_stash failed and was rolled back (division by zero); fix the cause and start again.",
      );
      expect(await tables(), start).toEqual(["pod"]);
      expect(await finishedMigrations(), start).toEqual(["1_pod"]);
    }
  });

  test("is applied by the next start once the cause is fixed", async () => {
    const { directory } = makeMigrationsFolder({
      "1_stash": "CREATE TABLE stash (id int); SELECT pod_count();",
    });
    await migrateFailing(directory);
    await column("CREATE FUNCTION pod_count() RETURNS int LANGUAGE sql RETURN 1");
    const lines: string[] = [];
    const options = { ownerUrl: database.ownerUrl, directory, log: (line: string) => lines.push(line) };
    expect(await migrateDatabase(options)).toEqual({ applied: ["1_stash"] });
    expect(lines).toEqual(["The migration 1_stash did not finish at an earlier start and changed nothing."]);
    expect(await migrateDatabase(options)).toEqual({ applied: [] });
    expect(await tables()).toEqual(["stash"]);
  });

  test("may be edited, because it was never applied", async () => {
    const { directory, write } = makeMigrationsFolder({ "1_stash": failing });
    await migrateFailing(directory);
    write("1_stash", "CREATE TABLE stash (id int);");
    expect(await migrateFailing(directory)).toEqual({ applied: ["1_stash"] });
    expect(await tables()).toEqual(["stash"]);
  });

  test("does not prevent the previous version from starting", async () => {
    const newer = makeMigrationsFolder({ "1_pod": severalStatements, "2_stash": failing });
    await migrateFailing(newer.directory);
    const older = makeMigrationsFolder({ "1_pod": severalStatements });
    expect(await migrateFailing(older.directory)).toEqual({ applied: [] });
  });
});
