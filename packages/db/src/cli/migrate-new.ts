/**
 * `pnpm db:migrate:new NAME`: writes a migration that leads from the last one to prisma/schema.prisma. It applies
 * the existing migrations to a throw-away Postgres and asks the schema engine for the difference.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { migrateDatabase } from "../migrate/index.ts";
import { datamodelPath, migrationsDirectory } from "../migrate/migrations.ts";
import { diffDatabaseToDatamodel } from "../migrate/schema-engine.ts";
import { withThrowAwayDatabase } from "../testing/throw-away.ts";

const namePattern = /^[a-z][a-z0-9_]{2,60}$/;

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

const [name, ...rest] = process.argv.slice(2);
if (name === undefined || rest.length > 0 || !namePattern.test(name)) {
  fail('Give the migration one name of lower-case letters, digits and "_", for example: pnpm db:migrate:new add_vault');
}

const datamodel = await readFile(datamodelPath, "utf8");
const sql = await withThrowAwayDatabase(async (ownerUrl) => {
  await migrateDatabase({ ownerUrl });
  return diffDatabaseToDatamodel(ownerUrl, datamodel);
});
if (sql === "") fail("Nothing to migrate: prisma/schema.prisma agrees with the migrations.");

const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
const folder = join(migrationsDirectory, `${stamp}_${name}`);
await mkdir(folder);
await writeFile(join(folder, "migration.sql"), `${sql}\n`, { flag: "wx" });
process.stdout.write(`Wrote ${relative(process.cwd(), join(folder, "migration.sql"))}; read it before you commit it.\n`);
