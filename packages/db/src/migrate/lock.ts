/** Session-level advisory locks: a migrating process holds them, and loses them with its connection. */
import { StashlightError } from "@stashlight/contracts/errors";
import type pg from "pg";

/** "stashlgt" as a number: this lock serialises Stashlights that start at the same time. */
const stashlightLockKey = "8319395793566789734";
/** Prisma's lock. The session that runs a script holds it, even if its process was killed. */
const schemaEngineLockKey = "72707369";
const lockTimeoutMs = 120_000;
const lockNotAvailable = "55P03";

/** Once this resolves, no other process migrates the database, and no script of an earlier run is in progress. */
export async function takeMigrationLock(
  client: pg.Client,
  log: ((line: string) => void) | undefined,
): Promise<void> {
  await takeLock(client, stashlightLockKey, () =>
    log?.("Another Stashlight is migrating this database; waiting for it."),
  );
  await takeLock(client, schemaEngineLockKey, () =>
    log?.("A migration of an earlier start is still running in the database; waiting for it."),
  );
  await client.query("SELECT pg_advisory_unlock($1)", [schemaEngineLockKey]);
}

async function takeLock(client: pg.Client, key: string, onWait: () => void): Promise<void> {
  const attempt = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [key]);
  if (attempt.rows[0]?.taken === true) return;
  onWait();
  await client.query(`SET lock_timeout = ${lockTimeoutMs}`);
  try {
    await client.query("SELECT pg_advisory_lock($1)", [key]);
  } catch (cause) {
    if ((cause as { code?: string }).code !== lockNotAvailable) throw cause;
    throw new StashlightError(
      "unavailable",
      `Another Stashlight has been migrating this database for over ${lockTimeoutMs / 1000} s; end it or let it finish.`,
      { cause },
    );
  }
  await client.query("SET lock_timeout = 0");
}
