/**
 * Brings a database to the project's schema: refuses what it must not touch, waits for whoever is migrating
 * already, applies what is pending, and prepares the job queue's schema and the runtime role's rights.
 */
import { StashlightError } from "@stashlight/contracts";
import pg from "pg";
import { migrateJobQueue } from "./job-queue.ts";
import { type Migration, migrationsDirectory, readMigrations } from "./migrations.ts";
import { ensureRuntimeRole } from "./runtime-role.ts";

export interface MigrateOptions {
  /** Connection string of the role that owns (or may own) the schema. */
  ownerUrl: string;
  /** Other than the project's own only in tests. */
  directory?: string;
  log?: (line: string) => void;
}

interface AppliedRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
  rolled_back_at: Date | null;
}

/** "stashlgt" as a number: two Stashlights that start at once take turns on this advisory lock. */
const migrationLockKey = "8319395793566789734";
const lockTimeoutMs = 120_000;
const postgresVersionMin = 16;

export async function migrateDatabase(options: MigrateOptions): Promise<{ applied: string[] }> {
  const directory = options.directory ?? migrationsDirectory;
  const migrations = await readMigrations(directory);
  const client = new pg.Client({ connectionString: options.ownerUrl, connectionTimeoutMillis: 10_000 });
  await connect(client);
  try {
    await assertSupportedVersion(client);
    await takeLock(client, options.log);
    const recorded = await readAppliedMigrations(client);
    assertHistoryFits(recorded, migrations);
    await ensureRuntimeRole(client);
    const known = new Set(recorded.map((row) => row.migration_name));
    const pending = migrations.filter(({ name }) => !known.has(name));
    const applied = pending.length === 0 ? [] : await apply(options, directory, migrations);
    await migrateJobQueue(client, options.ownerUrl);
    return { applied };
  } finally {
    await client.end();
  }
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message || String(cause) : String(cause);
    throw new StashlightError(
      "unavailable",
      `The database does not answer (${reason}); check the address, the password and that it is running.`,
      { cause },
    );
  }
}

async function assertSupportedVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version') AS version");
  const version = rows[0]?.version ?? "unknown";
  if (Number.parseInt(version, 10) < postgresVersionMin) {
    throw new StashlightError(
      "precondition_failed",
      `The database is Postgres ${version}; Stashlight needs Postgres ${postgresVersionMin} or later.`,
    );
  }
}

async function takeLock(client: pg.Client, log: MigrateOptions["log"]): Promise<void> {
  const attempt = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [
    migrationLockKey,
  ]);
  if (attempt.rows[0]?.taken === true) return;
  log?.("Another Stashlight is migrating this database; waiting for it.");
  await client.query(`SET lock_timeout = ${lockTimeoutMs}`);
  try {
    await client.query("SELECT pg_advisory_lock($1)", [migrationLockKey]);
  } catch (cause) {
    throw new StashlightError(
      "unavailable",
      `Another Stashlight has been migrating this database for over ${lockTimeoutMs / 1000} s; end it or let it finish.`,
      { cause },
    );
  }
  await client.query("SET lock_timeout = 0");
}

/** Rows of `_prisma_migrations`, oldest first; a database with other tables and no such list is not ours. */
async function readAppliedMigrations(client: pg.Client): Promise<AppliedRow[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
  );
  const names = tables.map(({ name }) => name);
  if (!names.includes("_prisma_migrations")) {
    if (names.length > 0) throw foreignDatabase(names);
    return [];
  }
  const { rows } = await client.query<AppliedRow>(
    "SELECT migration_name, checksum, finished_at, rolled_back_at FROM _prisma_migrations ORDER BY started_at",
  );
  return rows.filter((row) => row.rolled_back_at === null);
}

function foreignDatabase(tables: string[]): StashlightError {
  const some = tables.slice(0, 3).join(", ");
  return new StashlightError(
    "precondition_failed",
    `The database holds tables of something else (${some}); give Stashlight a database of its own.`,
  );
}

function assertHistoryFits(recorded: AppliedRow[], migrations: Migration[]): void {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  const foreign = recorded.filter((row) => !byName.has(row.migration_name));
  if (foreign.length === recorded.length && recorded.length > 0) {
    throw foreignDatabase(["_prisma_migrations of another project"]);
  }
  for (const row of recorded) {
    const migration = byName.get(row.migration_name);
    if (migration === undefined) {
      throw new StashlightError(
        "precondition_failed",
        `The database has the migration ${row.migration_name}, which this Stashlight does not know: it was used by a newer version; start that one.`,
      );
    }
    if (row.finished_at === null) {
      throw new StashlightError(
        "precondition_failed",
        `The migration ${row.migration_name} failed half-way on this database; restore a backup, or repair it and mark it with "prisma migrate resolve".`,
      );
    }
    if (row.checksum !== migration.checksum) {
      throw new StashlightError(
        "precondition_failed",
        `The migration ${row.migration_name} was edited after it was applied; put its migration.sql back and write a new migration for the change.`,
      );
    }
  }
}

async function apply(options: MigrateOptions, directory: string, migrations: Migration[]): Promise<string[]> {
  // The engine is 5 MB of WebAssembly: it is loaded only when there is something to apply.
  const { applyMigrations } = await import("./schema-engine.ts");
  try {
    return await applyMigrations(options.ownerUrl, directory, migrations);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StashlightError("internal", `A migration failed and was rolled back: ${reason}`, { cause });
  }
}
