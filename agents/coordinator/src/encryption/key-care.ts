/** Surveys, rewraps and destroys the keys of buckets, for operators. */
import type { EncryptionPage } from "@stashlight/node-runtime/durability";
import { S3Error } from "@stashlight/s3";
import { changeMarker } from "../records/bucket-marker.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { allMarkers, BucketKeys, destroyedKey, isDestroyed } from "./bucket-keys.ts";
import type { VaultKeyring } from "./vault-keyring.ts";
import { parseWrappedKey, wrapBucketKey } from "./wrapped-key.ts";

type Verbs = Pick<VaultVerbs, "head" | "list" | "put">;

/**
 * Describes the first bucket key that cannot be opened, or encrypted buckets without an entry for a vault key; null if
 * all is well. Rejects with a VaultError.
 */
export async function findProblem(verbs: Verbs, keyring: VaultKeyring): Promise<string | null> {
  const keys = new BucketKeys({ vault: verbs, keyring });
  let encryptedCount = 0;
  for await (const { name, wrappedKey, isEncrypted } of allMarkers(verbs)) {
    if (isEncrypted) encryptedCount += 1;
    if (wrappedKey === null || isDestroyed(wrappedKey) || keyring.state().type !== "ready") continue;
    try {
      keys.open(name, wrappedKey);
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      return error.cause instanceof Error ? error.cause.message : error.message;
    }
  }
  if (keyring.state().type !== "none" || encryptedCount === 0) return null;
  return `The vault's file names no encryption key, and ${encryptedCount} of its buckets are encrypted; put "encryption" back into it.`;
}

/** Rejects with a VaultError. */
export async function surveyKeys(
  verbs: Verbs,
  keyring: VaultKeyring,
): Promise<Omit<EncryptionPage, "problem">> {
  const state = keyring.state();
  const counts = new Map<number, number>();
  const buckets = { total: 0, encryptedByDefault: 0, destroyed: 0 };
  for await (const { wrappedKey, isEncrypted } of allMarkers(verbs)) {
    buckets.total += 1;
    if (isEncrypted) buckets.encryptedByDefault += 1;
    if (wrappedKey === null) continue;
    if (isDestroyed(wrappedKey)) buckets.destroyed += 1;
    const version = parseWrappedKey(wrappedKey)?.vaultKeyVersion;
    if (version !== undefined) counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  const byVersion = [...counts].map(([version, count]) => ({ version, count }));
  return {
    encryptsNewBuckets: keyring.encryptsNewBuckets,
    versions:
      state.type === "ready" ? state.keys.map(({ version, createdAt }) => ({ version, createdAt })) : [],
    buckets: { ...buckets, byVersion: byVersion.sort((a, b) => a.version - b.version) },
  };
}

/**
 * Wraps every bucket's key with the newest version of the vault's key, on condition that the marker is unchanged since
 * it was read. Returns the number of rewrapped keys; after an interruption the next call completes the rest. Rejects
 * with an S3Error if a key cannot be opened.
 */
export async function rewrapKeys(verbs: Verbs, keyring: VaultKeyring): Promise<number> {
  const keys = new BucketKeys({ vault: verbs, keyring });
  const newest = keyring.newest();
  const isOutdated = (wrappedKey: string | null): wrappedKey is string =>
    wrappedKey !== null &&
    (parseWrappedKey(wrappedKey)?.vaultKeyVersion ?? newest.version) !== newest.version;
  let count = 0;
  for await (const { name, wrappedKey } of allMarkers(verbs)) {
    if (!isOutdated(wrappedKey)) continue;
    try {
      await changeMarker(
        verbs,
        name,
        (marker) => {
          if (!isOutdated(marker.wrappedKey)) return null;
          const key = keys.open(name, marker.wrappedKey);
          return { wrappedKey: wrapBucketKey(key, { clusterId: keyring.clusterId, bucket: name }, newest) };
        },
        null,
      );
      count += 1;
    } catch (error) {
      // The bucket has been deleted meanwhile.
      if (!(error instanceof S3Error && error.code === "NoSuchBucket")) throw error;
    }
  }
  return count;
}

/** Makes a bucket's encrypted objects unreadable for good. Returns 1, or 0 if the key was already destroyed. */
export async function destroyKey(verbs: Verbs, bucket: string): Promise<number> {
  let changedCount = 0;
  await changeMarker(
    verbs,
    bucket,
    ({ wrappedKey }) => {
      if (wrappedKey === null)
        throw new S3Error("InvalidRequest", `The bucket ${bucket} has no encryption key.`);
      if (isDestroyed(wrappedKey)) return null;
      changedCount = 1;
      return { wrappedKey: destroyedKey(Date.now()) };
    },
    null,
  );
  return changedCount;
}
