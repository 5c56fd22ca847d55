/**
 * `pnpm db:migrate:new NAME`: writes a migration that leads from the last one to prisma/schema.prisma. It applies
 * the existing migrations to a throw-away Postgres and asks the schema engine for the difference.
 */
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { datamodelPath, migrationsDirectory } from "../migrate/migrations.ts";
import { writeMigration } from "../migrate/write-migration.ts";
import { withThrowAwayDatabase } from "../testing/throw-away.ts";

const namePattern = /^[a-z][a-z0-9_]{2,60}$/;

async function main(): Promise<string> {
  const [name, ...rest] = process.argv.slice(2);
  if (name === undefined || rest.length > 0 || !namePattern.test(name)) {
    throw new Error(
      'Give the migration one name of lower-case letters, digits and "_", for example: pnpm db:migrate:new add_vault',
    );
  }
  const datamodel = await readFile(datamodelPath, "utf8");
  const path = await withThrowAwayDatabase((ownerUrl) =>
    writeMigration({ ownerUrl, name, directory: migrationsDirectory, datamodel, now: new Date() }),
  );
  if (path === undefined)
    throw new Error("Nothing to migrate: prisma/schema.prisma agrees with the migrations.");
  return `Wrote ${relative(process.cwd(), path)}; read it before you commit it.`;
}

// The schema engine leaves a ten-second timer behind, so the process exits explicitly.
try {
  const line = await main();
  process.stdout.write(`${line}\n`, () => process.exit());
} catch (error) {
  const sentence = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${sentence}\n`, () => process.exit(1));
}
