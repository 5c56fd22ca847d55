import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { migrateDatabase } from "./index.ts";
import { diffDatabaseToDatamodel } from "./schema-engine.ts";

export interface WriteMigrationOptions {
  /** An empty database that may be modified. */
  ownerUrl: string;
  name: string;
  /** Folder with the existing migrations, to which the new one is added. */
  directory: string;
  /** The target Prisma schema as text. */
  datamodel: string;
  now: Date;
}

/** Writes the migration from the last one to the schema, and returns its path; undefined if there is no difference. */
export async function writeMigration(options: WriteMigrationOptions): Promise<string | undefined> {
  const { ownerUrl, name, directory, datamodel, now } = options;
  await migrateDatabase({ ownerUrl, directory });
  const sql = await diffDatabaseToDatamodel(ownerUrl, datamodel);
  if (sql === "") return undefined;
  const stamp = now.toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = join(directory, `${stamp}_${name}`);
  await mkdir(folder);
  const path = join(folder, "migration.sql");
  await writeFile(path, `${sql}\n`, { flag: "wx" });
  return path;
}
