import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withClient } from "../testing/databases.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { makeMigrationsFolder } from "../testing/migrations-folder.ts";
import { migrateDatabase } from "./index.ts";
import { datamodelPath } from "./migrations.ts";
import { diffDatabaseToDatamodel } from "./schema-engine.ts";
import { writeMigration } from "./write-migration.ts";

let databases: TestDatabase[];

beforeEach(() => {
  databases = [];
});

afterEach(async () => {
  for (const database of databases) await database.drop();
});

async function openEmpty(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database;
}

test("prisma/schema.prisma and the migrations agree; if not, run pnpm db:migrate:new NAME", async () => {
  const database = await createTestDatabase();
  databases.push(database);
  expect(await diffDatabaseToDatamodel(database.ownerUrl, await readFile(datamodelPath, "utf8"))).toBe("");
});

const podModel = `
datasource db {
  provider = "postgresql"
}

model Pod {
  id   String @id
  name String @unique
}
`;

test("a new migration leads from the last one to the schema, and is written only if they differ", async () => {
  const { directory } = makeMigrationsFolder({
    "20260101000000_first": 'CREATE TABLE "Vault" (id text PRIMARY KEY);',
  });
  const datamodel = `${podModel}\nmodel Vault {\n  id String @id\n}\n`;
  const options = { name: "add_pod", directory, datamodel, now: new Date("2026-02-03T04:05:06.789Z") };

  const path = await writeMigration({ ...options, ownerUrl: (await openEmpty()).ownerUrl });
  expect(basename(dirname(path ?? ""))).toBe("20260203040506_add_pod");
  const sql = await readFile(path ?? "", "utf8");
  expect(sql).toContain('CREATE TABLE "Pod"');
  expect(sql).not.toContain('"Vault"');

  const { ownerUrl } = await openEmpty();
  await migrateDatabase({ ownerUrl, directory });
  await withClient(ownerUrl, (client) => client.query(`INSERT INTO "Pod" VALUES ('1', 'one')`));
  expect(await writeMigration({ ...options, ownerUrl: (await openEmpty()).ownerUrl })).toBeUndefined();
});
