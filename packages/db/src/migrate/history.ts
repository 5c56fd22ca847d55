/**
 * Reads the migrations recorded in a database (`_prisma_migrations`) and compares them with this Stashlight's. A row
 * without `finished_at` is a migration that failed or was interrupted, and was rolled back completely, because the mark
 * is written in the script's transaction.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type pg from "pg";
import type { Migration } from "./migrations.ts";
import { otherProfile, type StorageProfile } from "./storage-profile.ts";

export interface HistoryRow {
  migrationName: string;
  checksum: string;
  isFinished: boolean;
}

/**
 * Reads the recorded migrations, oldest first, without those rolled back; a database with tables but without this list
 * is not ours.
 */
export async function readHistory(client: pg.Client): Promise<HistoryRow[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename",
  );
  const names = tables.map(({ name }) => name);
  if (!names.includes("_prisma_migrations")) {
    if (names.length > 0) throw foreignDatabase(names);
    return [];
  }
  const { rows } = await client.query<HistoryRow>(
    `SELECT migration_name AS "migrationName", checksum, finished_at IS NOT NULL AS "isFinished"
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return rows;
}

function foreignDatabase(tables: string[]): StashlightError {
  const some = tables.slice(0, 3).join(", ");
  return new StashlightError(
    "precondition_failed",
    `The database contains tables of another product (${some}); give Stashlight a database of its own.`,
  );
}

export function assertHistoryFits(
  history: HistoryRow[],
  migrations: Migration[],
  profile: StorageProfile,
): void {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  const isKnown = (row: HistoryRow) => byName.has(row.migrationName);
  if (history.length > 0 && !history.some(isKnown)) {
    throw foreignDatabase(["_prisma_migrations of another project"]);
  }
  for (const { migrationName, checksum, isFinished } of history) {
    // A failed migration of a newer version was rolled back, so this version may continue.
    if (!isFinished) continue;
    const migration = byName.get(migrationName);
    if (migration === undefined) {
      throw new StashlightError(
        "precondition_failed",
        `The database has the migration ${migrationName}, which this Stashlight does not know: it was used by a newer version; start that one.`,
      );
    }
    if (migration.earlierChecksums.includes(checksum)) continue;
    const [made] = [...migration.otherChecksums].find(([, other]) => other === checksum) ?? [];
    if (made !== undefined) throw otherProfile(made, profile);
    if (checksum !== migration.checksum) {
      throw new StashlightError(
        "precondition_failed",
        `The migration ${migrationName} was edited after it was applied; put its migration.sql back and write a new migration for the change.`,
      );
    }
  }
}

/**
 * Returns the profile with which a database was created, by its migrations' checksums; `migrations` are those of
 * `plain`.
 */
export function appliedProfile(history: HistoryRow[], migrations: Migration[]): StorageProfile {
  const applied = new Map(history.map(({ migrationName, checksum }) => [migrationName, checksum]));
  const made = migrations.flatMap(({ name, otherChecksums }) =>
    [...otherChecksums].flatMap(([profile, checksum]) => (applied.get(name) === checksum ? [profile] : [])),
  );
  return made[0] ?? "plain";
}

/** Marks a migration in Prisma's way so that it may be retried; its row stays, with the reason of the failure. */
export async function releaseUnfinished(client: pg.Client): Promise<void> {
  await client.query(
    "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL",
  );
}
