/** Refuses uploads that a full vault cannot take, before their body is read. */
import type { AdmissionRequest } from "@stashlight/s3";
import { VaultError } from "../vault/errors.ts";
import { s3ErrorOf } from "../vault/s3-error.ts";
import type { Vault } from "../vault/vault.ts";

type FreeSpaceOfVault = Pick<Vault, "checkRoom" | "freeBytes">;

/** Operations whose body becomes an object or a part. The size of a copy's source is known only later. */
const STORING: ReadonlySet<AdmissionRequest["operation"]> = new Set([
  "PutObject",
  "PostObject",
  "UploadPart",
]);

/** Rejects with InsufficientStorage, or with SlowDown while pods free space. */
export async function refuseWithoutSpace(
  vault: FreeSpaceOfVault,
  { operation, bucket, key, bodyBytes }: AdmissionRequest,
): Promise<void> {
  if (!STORING.has(operation)) return;
  try {
    await vault.checkRoom(bucket, key, bodyBytes);
  } catch (error) {
    throw error instanceof VaultError ? s3ErrorOf(error, vault.freeBytes) : error;
  }
}
