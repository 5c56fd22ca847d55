/**
 * A short-lived process that prepares the database before its users start, so that the supervisor stays small (see
 * prepareInstallation).
 */
import { StashlightError } from "@stashlight/contracts/errors";
import { reportFailed } from "@stashlight/contracts/process";
import type { StorageProfile } from "@stashlight/db/migrate";
import { type InstallationPrepared, prepareInstallation } from "./prepare-installation.ts";

export interface DatabasePrepared extends InstallationPrepared {
  type: "prepared";
}

interface Environment {
  STASHLIGHT_OWNER_DATABASE_URL: string;
  DATABASE_URL: string;
  STASHLIGHT_PUBLIC_URL: string;
  STASHLIGHT_SECRET: string;
  STASHLIGHT_RECOVER_EMAIL?: string;
  STASHLIGHT_ACCEPT_NEW_SECRET?: string;
  STASHLIGHT_STORAGE_PROFILE?: StorageProfile;
}

try {
  const env = process.env as unknown as Environment;
  const prepared = await prepareInstallation({
    ownerUrl: env.STASHLIGHT_OWNER_DATABASE_URL,
    databaseUrl: env.DATABASE_URL,
    storageProfile: env.STASHLIGHT_STORAGE_PROFILE,
    publicUrl: env.STASHLIGHT_PUBLIC_URL,
    secret: env.STASHLIGHT_SECRET,
    recoverEmail: env.STASHLIGHT_RECOVER_EMAIL,
    isNewSecretAccepted: env.STASHLIGHT_ACCEPT_NEW_SECRET === "yes",
    log: console.log,
  });
  const report: DatabasePrepared = { type: "prepared", ...prepared };
  process.send?.(report, () => process.exit());
} catch (error) {
  console.error(error);
  const { message } = error as Error;
  reportFailed(error instanceof StashlightError ? message : `The database could not be prepared: ${message}`);
}
