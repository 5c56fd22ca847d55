import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The project's migrations, in Prisma's layout: one folder a migration, named by time, with a migration.sql. */
export const migrationsDirectory = join(import.meta.dirname, "../../../../prisma/migrations");
export const datamodelPath = join(import.meta.dirname, "../../../../prisma/schema.prisma");

export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the script, hexadecimal, as Prisma records it. */
  checksum: string;
}

export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(directory, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}
