/**
 * Prepares a database for its processes: migrations, the set-up link if there is no administrator, and the password
 * link of the user that --recover names.
 */
import { migrateDatabase, type StorageProfile } from "@stashlight/db/migrate";
import { openSetup, recordInstallationSecret, recoverUser } from "@stashlight/services/setup";

export interface IssuedAddress {
  url: string;
  expiresAt: string;
}

export interface InstallationPrepared {
  appliedCount: number;
  setup: IssuedAddress | null;
  /** The password link of the user that --recover names. */
  recovery: IssuedAddress | null;
}

export interface PrepareOptions {
  ownerUrl: string;
  /** Login of the running product, which may also be the owner. */
  databaseUrl: string;
  storageProfile: StorageProfile | undefined;
  publicUrl: string;
  secret: string;
  recoverEmail: string | undefined;
  isNewSecretAccepted: boolean;
  log(line: string): void;
}

export async function prepareInstallation(options: PrepareOptions): Promise<InstallationPrepared> {
  const { ownerUrl, databaseUrl, storageProfile, publicUrl, secret, recoverEmail, log } = options;
  const { applied } = await migrateDatabase({
    ownerUrl,
    runtimeUrl: databaseUrl === ownerUrl ? undefined : databaseUrl,
    profile: storageProfile,
    log,
  });
  const isNewAccepted = options.isNewSecretAccepted;
  await recordInstallationSecret({ databaseUrl, secret, publicUrl, isNewAccepted });
  const setup = await openSetup({ databaseUrl, publicUrl });
  const recovery =
    recoverEmail === undefined
      ? null
      : await recoverUser({ databaseUrl, secret, publicUrl, email: recoverEmail });
  return { appliedCount: applied.length, setup: issued(setup), recovery: issued(recovery) };
}

const issued = (link: { url: string; expiresAt: Date } | null): IssuedAddress | null =>
  link && { url: link.url, expiresAt: link.expiresAt.toISOString() };
