import type { Transaction } from "@stashlight/db";
import { writeAudit } from "../audit/write.ts";
import { openCore } from "../core.ts";
import { otherSecret } from "../secret/assert-installation-secret.ts";
import { keyIdOfSecret } from "../secret/credential-encryption.ts";

export interface SecretOptions {
  databaseUrl: string;
  secret: string;
  publicUrl: string;
  /** Accepts a secret other than the database's, because the old one is lost, with everything that it sealed. */
  isNewAccepted: boolean;
}

/** Records the database's secret at the first start, and refuses any other secret later. */
export async function recordInstallationSecret({ isNewAccepted, ...options }: SecretOptions): Promise<void> {
  const keyId = keyIdOfSecret(options.secret);
  const platform = openCore({ kind: "tool", dataDirectory: null, ...options });
  const ctx = { platform, principal: null, origin: { ipAddress: "local", userAgent: "npm start" } };
  try {
    await platform.db.$transaction(async (tx) => {
      const known = await readKnown(tx);
      if (known.length === 0 || known.includes(keyId)) return write(tx, keyId, platform.now(), false);
      if (!isNewAccepted) throw otherSecret();
      await write(tx, keyId, platform.now(), true);
      await writeAudit(tx, ctx, {
        action: "installation.secret_replaced",
        actor: { id: null, name: "npm start --accept-new-secret", role: null },
        before: { keyId: known[0] ?? null },
        after: { keyId },
      });
    });
    const recorded = await platform.db.installationSecret.findUnique({ where: { id: 1 } });
    // Another process was first, with its own secret.
    if (recorded?.keyId !== keyId) throw otherSecret();
  } finally {
    await platform.close();
  }
}

/** Returns the recorded secret's key id; in a database of an earlier version, that of its sealed credentials. */
async function readKnown(tx: Transaction): Promise<string[]> {
  const recorded = await tx.installationSecret.findUnique({ where: { id: 1 } });
  if (recorded !== null) return [recorded.keyId];
  const sealed = await tx.$queryRaw<{ key_id: string }[]>`
    SELECT DISTINCT split_part(envelope, '.', 2) AS key_id FROM (
      SELECT secret AS envelope FROM alert_channel
      UNION ALL SELECT secret_access_key FROM endpoint
      UNION ALL SELECT secret_access_key FROM access_key) AS sealed
     WHERE envelope LIKE 'v1.%'`;
  return sealed.map(({ key_id }) => key_id);
}

async function write(tx: Transaction, keyId: string, since: Date, isReplaced: boolean): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO installation_secret AS kept (key_id, since) VALUES (${keyId}, ${since})
    ON CONFLICT (id) DO UPDATE SET key_id = excluded.key_id, since = excluded.since WHERE ${isReplaced}`;
}
