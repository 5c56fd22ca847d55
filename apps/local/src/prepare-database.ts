/**
 * A short-lived process between the database and the parts that use it: it migrates, and on a database without an
 * administrator it opens the one-time set-up. A process of its own, so that the supervisor stays small.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import { reportFailed } from "@stashlight/contracts/process";
import { migrateDatabase, type StorageProfile } from "@stashlight/db/migrate";
import { openSetup, recoverUser } from "@stashlight/services/setup";

export interface DatabasePrepared {
  type: "prepared";
  appliedCount: number;
  setup: { url: string; expiresAt: string } | null;
  /** The password link of the user that --recover names. */
  recovery: { url: string; expiresAt: string } | null;
}

interface Environment {
  STASHLIGHT_OWNER_DATABASE_URL: string;
  DATABASE_URL: string;
  STASHLIGHT_PUBLIC_URL: string;
  STASHLIGHT_SECRET: string;
  STASHLIGHT_RECOVER_EMAIL?: string;
  STASHLIGHT_STORAGE_PROFILE?: StorageProfile;
}

try {
  const env = process.env as unknown as Environment;
  const { applied } = await migrateDatabase({
    ownerUrl: env.STASHLIGHT_OWNER_DATABASE_URL,
    runtimeUrl: env.DATABASE_URL === env.STASHLIGHT_OWNER_DATABASE_URL ? undefined : env.DATABASE_URL,
    profile: env.STASHLIGHT_STORAGE_PROFILE,
    log: console.log,
  });
  const setup = await openSetup({ databaseUrl: env.DATABASE_URL, publicUrl: env.STASHLIGHT_PUBLIC_URL });
  const email = env.STASHLIGHT_RECOVER_EMAIL;
  const recovery =
    email === undefined
      ? null
      : await recoverUser({
          databaseUrl: env.DATABASE_URL,
          secret: env.STASHLIGHT_SECRET,
          publicUrl: env.STASHLIGHT_PUBLIC_URL,
          email,
        });
  const report: DatabasePrepared = {
    type: "prepared",
    appliedCount: applied.length,
    setup: setup && { url: setup.url, expiresAt: setup.expiresAt.toISOString() },
    recovery: recovery && { url: recovery.url, expiresAt: recovery.expiresAt.toISOString() },
  };
  process.send?.(report, () => process.exit());
} catch (error) {
  console.error(error);
  const { message } = error as Error;
  reportFailed(error instanceof StashlightError ? message : `The database could not be prepared: ${message}`);
}
