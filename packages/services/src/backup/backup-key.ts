import { hkdfSync } from "node:crypto";
import type { BackupKey } from "@stashlight/db/backup";
import { keyIdOfSecret } from "../secret/credential-encryption.ts";

/** If the label changed, earlier backups would seem to come from another installation. */
const label = "stashlight backups";
const keyBytes = 32;

/** Key for the MACs in an installation's backups. It decrypts nothing that the secret encrypts. */
export const backupKey = (secret: string): BackupKey => ({
  keyId: keyIdOfSecret(secret),
  key: Buffer.from(hkdfSync("sha256", secret, "", label, keyBytes)),
});
