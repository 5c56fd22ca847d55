import { type BackupTrust, type Restored, type RestoreOptions, restore } from "@stashlight/db/backup";
import { appendAudit } from "../audit/write.ts";
import { assertKeyOfSecret } from "../secret/assert-installation-secret.ts";
import { backupKey } from "./backup-key.ts";

export interface RestoreConsoleOptions extends Pick<RestoreOptions, "ownerUrl" | "path" | "profile" | "log"> {
  /** The secret with which the backup was written; undefined for an unverified restore after the secret was lost. */
  readonly secret: string | undefined;
  readonly verification: "own" | "other-installation" | "unverified";
  readonly now: () => Date;
}

/** Restores a backup. The restored audit log records it as its newest event, in the same transaction. */
export function restoreConsole({
  secret,
  verification,
  now,
  ...options
}: RestoreConsoleOptions): Promise<Restored> {
  const origin = { ipAddress: "local", userAgent: "npm run restore" };
  return restore({
    ...options,
    trust: chooseTrust(secret, verification),
    ...(secret !== undefined && { checkKey: (keyId: string) => assertKeyOfSecret(keyId, secret) }),
    beforeCommit: (tx, { createdAt, writerKeyId }) =>
      appendAudit(
        tx,
        { platform: { now }, principal: null, origin },
        {
          action: "installation.restored",
          actor: { id: null, name: "npm run restore", role: null },
          after: { backupCreatedAt: createdAt, keyId: writerKeyId, verification },
        },
      ),
  });
}

function chooseTrust(
  secret: string | undefined,
  verification: RestoreConsoleOptions["verification"],
): BackupTrust {
  if (verification === "unverified") return { type: "unverified" };
  if (secret === undefined) throw new TypeError("A backup is verified with a secret.");
  return { type: "key", key: backupKey(secret) };
}
