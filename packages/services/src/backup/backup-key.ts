import { hkdfSync } from "node:crypto";
import type { BackupKey } from "@stashlight/db/backup";
import { keyIdOfSecret } from "../secret/envelope.ts";

/** Changing the label makes every earlier backup one of another installation. */
const label = "stashlight backups";
const keyBytes = 32;

/** The key of the MACs in an installation's backups. It opens nothing that the secret encrypts. */
export const backupKey = (secret: string): BackupKey => ({
  keyId: keyIdOfSecret(secret),
  key: Buffer.from(hkdfSync("sha256", secret, "", label, keyBytes)),
});
