import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { STORAGE_PROFILES, type StorageProfile } from "./storage-profile.ts";

/**
 * The project's migrations, in Prisma's layout: one folder per migration, named by time, with a migration.sql. A
 * storage profile's own script, if it needs one, is in the same folder.
 */
export const migrationsDirectory = join(import.meta.dirname, "../../../../prisma/migrations");
export const datamodelPath = join(import.meta.dirname, "../../../../prisma/schema.prisma");

export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the script, hexadecimal, as Prisma records it. */
  checksum: string;
  /** Checksums of the scripts for other storage profiles; empty if all use the same script. */
  otherChecksums: ReadonlyMap<StorageProfile, string>;
  /** Checksums of this profile's earlier scripts that created the same tables. */
  earlierChecksums: readonly string[];
}

/**
 * Scripts for Citus and TimescaleDB that were replaced because they ran only on some servers. A database where the old
 * one ran has the same tables.
 */
const REPLACED_SCRIPTS: Readonly<Record<string, Partial<Record<StorageProfile, string>>>> = {
  "20261121150000_metric_store": {
    timescale: "57487966118f839e0564fb5e1a833bc0b05e89a2d9917170f182063371e0b1e7",
    citus: "15b9a0f3efb7fe988a962151e9cad501edd217b5053b9d93c40cb8e184fb8979",
  },
  "20261121160000_metric_views": {
    citus: "4177aa70af63e9d580b3e92e56a27f588ec28ed815a5eecfe1a897f0b451fdec",
  },
};

export const scriptName = (profile: StorageProfile): string =>
  profile === "plain" ? "migration.sql" : `migration.${profile}.sql`;

export async function readMigrations(
  directory: string,
  profile: StorageProfile = "plain",
): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(names.sort().map((name) => readMigration(directory, name, profile)));
}

async function readMigration(directory: string, name: string, profile: StorageProfile): Promise<Migration> {
  const scripts = new Map<StorageProfile, string>();
  const files = await readdir(join(directory, name));
  for (const each of STORAGE_PROFILES) {
    if (!files.includes(scriptName(each))) continue;
    scripts.set(each, await readFile(join(directory, name, scriptName(each)), "utf8"));
  }
  const own = scripts.has(profile) ? profile : "plain";
  const sql = scripts.get(own);
  if (sql === undefined) throw new Error(`The migration ${name} has no ${scriptName("plain")}.`);
  const others = [...scripts].filter(([each]) => each !== own);
  return {
    name,
    sql,
    checksum: sqlChecksum(sql),
    otherChecksums: new Map(others.map(([each, text]) => [each, sqlChecksum(text)])),
    earlierChecksums: [REPLACED_SCRIPTS[name]?.[profile] ?? []].flat(),
  };
}

const sqlChecksum = (sql: string): string => createHash("sha256").update(sql).digest("hex");
