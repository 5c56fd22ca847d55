/**
 * Migrates a database to the project's schema: refuses databases of other products, waits for a migration in progress, applies
 * pending ones, and prepares the job queue's schema and the runtime role's rights. If interrupted at any point, it
 * continues at the next start.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type pg from "pg";
import { giveAuditGuard } from "./audit-guard.ts";
import { prepareCitus } from "./citus.ts";
import { connectToMigrate } from "./connect.ts";
import {
  appliedProfile,
  assertHistoryFits,
  type HistoryRow,
  readHistory,
  releaseUnfinished,
} from "./history.ts";
import { migrateJobQueue } from "./job-queue.ts";
import { takeMigrationLock } from "./lock.ts";
import { type Migration, migrationsDirectory, readMigrations } from "./migrations.ts";
import { assertRuntimeLogin } from "./runtime-login.ts";
import { ensureRuntimeRole } from "./runtime-role.ts";
import { assertSupportedVersion } from "./server-version.ts";
import { assertExtension, otherProfile, type StorageProfile } from "./storage-profile.ts";
import { assertTables } from "./stored-tables.ts";

export type { StorageProfile } from "./storage-profile.ts";

export interface MigrateOptions {
  /** Connection string of the role that owns (or may own) the schema. */
  ownerUrl: string;
  /** Connection string for console and worker, if they have another login; refused if that has too many rights. */
  runtimeUrl?: string | undefined;
  /** Storage profile of the metric store's tables; `plain` by default. */
  profile?: StorageProfile | undefined;
  /** Differs from the project's folder only in tests. */
  directory?: string;
  log?: (line: string) => void;
}

export async function migrateDatabase(options: MigrateOptions): Promise<{ applied: string[] }> {
  const { ownerUrl, runtimeUrl, profile = "plain", directory = migrationsDirectory, log } = options;
  const migrations = await readMigrations(directory, profile);
  const client = await connectToMigrate(ownerUrl);
  try {
    assertSupportedVersion(await readVersion(client));
    await takeMigrationLock(client, log);
    const history = await readHistory(client);
    assertHistoryFits(history, migrations, profile);
    await assertExtension(client, profile);
    const unfinished = history.filter(({ isFinished }) => !isFinished);
    for (const { migrationName } of unfinished) {
      log?.(`The migration ${migrationName} did not finish at an earlier start and changed nothing.`);
    }
    if (unfinished.length > 0) await releaseUnfinished(client);
    await ensureRuntimeRole(client);
    if (profile === "citus") await prepareCitus(client);
    const finished = namesOfFinished(history);
    const isUpToDate = migrations.every(({ name }) => finished.has(name));
    const applied = isUpToDate ? [] : await apply(ownerUrl, directory, migrations, profile);
    await assertTables(client, profile);
    await giveAuditGuard(client, log);
    await migrateJobQueue(client, ownerUrl);
    if (runtimeUrl !== undefined) await assertRuntimeLogin(client, runtimeUrl);
    return { applied };
  } finally {
    await client.end();
  }
}

export interface PendingOptions {
  /** Connection string of any login that may read the schema. */
  url: string;
  /** Refuses a database with another profile; if absent, accepts any. */
  profile?: StorageProfile | undefined;
  /** Differs from the project's folder only in tests. */
  directory?: string;
}

/** Returns the names of pending migrations without changing anything; refuses a database of another version. */
export async function readPendingMigrations(options: PendingOptions): Promise<string[]> {
  const { url, profile, directory = migrationsDirectory } = options;
  const client = await connectToMigrate(url);
  try {
    assertSupportedVersion(await readVersion(client));
    const history = await readHistory(client);
    const made = appliedProfile(history, await readMigrations(directory));
    const migrations = await readMigrations(directory, made);
    assertHistoryFits(history, migrations, made);
    if (history.length > 0 && profile !== undefined && profile !== made) throw otherProfile(made, profile);
    const finished = namesOfFinished(history);
    return migrations.flatMap(({ name }) => (finished.has(name) ? [] : [name]));
  } finally {
    await client.end();
  }
}

/** Returns the storage profile of a database with this history. */
export async function storedProfile(history: HistoryRow[]): Promise<StorageProfile> {
  return appliedProfile(history, await readMigrations(migrationsDirectory));
}

const namesOfFinished = (history: HistoryRow[]): Set<string> =>
  new Set(history.filter(({ isFinished }) => isFinished).map(({ migrationName }) => migrationName));

async function readVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ version: string }>(
    "SELECT current_setting('server_version') AS version",
  );
  return rows[0]?.version ?? "unknown";
}

async function apply(
  ownerUrl: string,
  directory: string,
  migrations: Migration[],
  profile: StorageProfile,
): Promise<string[]> {
  // The engine is 5 MB of WebAssembly, so it is loaded only if a migration is pending.
  const { applyMigrations, MigrationScriptError } = await import("./schema-engine.ts");
  try {
    return await applyMigrations(ownerUrl, directory, migrations, profile === "citus");
  } catch (cause) {
    if (!(cause instanceof MigrationScriptError)) throw cause;
    throw new StashlightError(
      "internal",
      `The migration ${cause.migrationName} failed and was rolled back (${cause.message}); fix the cause and start again.`,
      { cause },
    );
  }
}
