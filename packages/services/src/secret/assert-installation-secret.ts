import { StashlightError } from "@stashlight/contracts/errors";
import { openMetricClient } from "@stashlight/db/metrics";
import { keyIdOfSecret } from "./credential-encryption.ts";

export interface InstallationAccess {
  databaseUrl: string;
  secret: string;
}

/**
 * Refuses a secret that does not belong to this database. A process that continued with it would sign sessions that
 * others reject, and could not read credentials.
 */
export async function assertInstallationSecret({ databaseUrl, secret }: InstallationAccess): Promise<void> {
  const client = openMetricClient({
    url: databaseUrl,
    purpose: "tool",
    applicationName: "stashlight-secret",
    connectionsMax: 1,
  });
  try {
    const { rows } = await client.query<{ key_id: string }>("SELECT key_id FROM installation_secret");
    const [recorded] = rows;
    if (recorded !== undefined) assertKeyOfSecret(recorded.key_id, secret);
  } finally {
    await client.end();
  }
}

/** Throws if this secret is not the one with which a database was set up. */
export function assertKeyOfSecret(keyId: string, secret: string): void {
  if (keyId !== keyIdOfSecret(secret)) throw otherSecret();
}

export const otherSecret = (): StashlightError =>
  new StashlightError(
    "precondition_failed",
    "The secret is not the one of this database: its sessions, two-factor codes and stored credentials need the secret that it was set up with. Give that one (STASHLIGHT_SECRET, or the file that it was kept in); if it is lost, start once with --accept-new-secret.",
  );
