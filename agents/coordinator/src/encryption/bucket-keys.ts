/** Keys of buckets: created with the bucket or its first encrypted object, and unwrapped for use. */
import type { VaultKey } from "@stashlight/node-runtime/config";
import { S3Error } from "@stashlight/s3";
import { type BucketMarker, changeMarker, type MarkerChange, parseMarker } from "../records/bucket-marker.ts";
import { BUCKETS } from "../records/bucket-records.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { keyUnavailable, type VaultKeyring } from "./vault-keyring.ts";
import {
  type BucketKey,
  newBucketKey,
  parseWrappedKey,
  unwrapBucketKey,
  wrapBucketKey,
} from "./wrapped-key.ts";

const PAGE_KEY_COUNT = 1000;
/** An unwrapped key takes about 300 bytes. */
const UNWRAPPED_COUNT_MAX = 10_000;

export interface BucketKeysOptions {
  readonly vault: Pick<VaultVerbs, "head" | "list" | "put">;
  readonly keyring: VaultKeyring;
}

export class BucketKeys {
  readonly #options: BucketKeysOptions;
  /** Keyed by the wrapped text, so that a changed marker is never answered with an old key. */
  readonly #unwrapped = new Map<string, BucketKey>();
  /** Version of the vault's key with which all markers were last compared. */
  #compared: VaultKey | null = null;

  constructor(options: BucketKeysOptions) {
    this.#options = options;
  }

  /** Fields for the marker of a bucket that is about to be created. Rejects with an S3Error. */
  async forNewBucket(bucket: string): Promise<Required<MarkerChange>> {
    if (!this.#options.keyring.encryptsNewBuckets) return { wrappedKey: null, isEncrypted: false };
    return { wrappedKey: await this.#wrapNew(bucket), isEncrypted: true };
  }

  /** Makes the bucket encrypt its objects by default. Rejects with an S3Error. */
  async encryptByDefault(bucket: string, requestId: string): Promise<BucketMarker> {
    const wrapped = await this.#wrapNew(bucket);
    const change = (marker: BucketMarker): MarkerChange | null =>
      marker.isEncrypted && marker.wrappedKey !== null
        ? null
        : { isEncrypted: true, wrappedKey: marker.wrappedKey ?? wrapped };
    return await changeMarker(this.#options.vault, bucket, change, requestId);
  }

  /** Returns the bucket's key, and creates it if there is none. Rejects with an S3Error. */
  async provide(marker: BucketMarker, requestId: string): Promise<BucketKey> {
    if (marker.wrappedKey !== null) return this.unwrap(marker);
    const wrapped = await this.#wrapNew(marker.name);
    const add = ({ wrappedKey }: BucketMarker) => (wrappedKey === null ? { wrappedKey: wrapped } : null);
    return this.unwrap(await changeMarker(this.#options.vault, marker.name, add, requestId));
  }

  /** Throws an S3Error if the key is missing or cannot be unwrapped. */
  unwrap(marker: Pick<BucketMarker, "name" | "wrappedKey">): BucketKey {
    const { name, wrappedKey } = marker;
    if (wrappedKey === null)
      throw new S3Error("ObjectUnreadable", `The bucket ${name} has no encryption key.`);
    const known = this.#unwrapped.get(wrappedKey);
    if (known !== undefined) return known;
    const unwrapped = this.open(name, wrappedKey);
    this.#unwrapped.set(wrappedKey, unwrapped);
    if (this.#unwrapped.size > UNWRAPPED_COUNT_MAX) {
      this.#unwrapped.delete(this.#unwrapped.keys().next().value as string);
    }
    return unwrapped;
  }

  /** Unwraps with the key that the vault has now, without the cache. Throws an S3Error. */
  open(name: string, wrappedKey: string): BucketKey {
    if (isDestroyed(wrappedKey)) {
      throw new S3Error(
        "AccessDenied",
        `The encryption key of the bucket ${name} was destroyed, so its encrypted objects can no longer be read, and new ones cannot be encrypted. Delete the bucket and create it again to use its name.`,
      );
    }
    const { keyring } = this.#options;
    const parsed = parseWrappedKey(wrappedKey);
    if (parsed === null) {
      throw new S3Error(
        "NotImplemented",
        `The key of the bucket ${name} has a form that a later version of Stashlight writes; update the coordinators.`,
      );
    }
    const { version, key } = keyring.version(parsed.vaultKeyVersion);
    const unwrapped = unwrapBucketKey(parsed, { clusterId: keyring.clusterId, bucket: name }, key);
    if (unwrapped !== null) return unwrapped;
    throw keyUnavailable(
      `Version ${version} of the vault's encryption key does not open the key of the bucket ${name}: the file has another key.`,
    );
  }

  async #wrapNew(bucket: string): Promise<string> {
    await this.#compareWithMarkers();
    const { keyring } = this.#options;
    return wrapBucketKey(newBucketKey(), { clusterId: keyring.clusterId, bucket }, keyring.newest());
  }

  /**
   * Refuses to wrap with a key other than the vault's, because the result could not be unwrapped once the right key is
   * back.
   */
  async #compareWithMarkers(): Promise<void> {
    const { vault, keyring } = this.#options;
    const newest = keyring.newest();
    if (this.#compared?.version === newest.version && newest.key.equals(this.#compared.key)) return;
    for await (const { name, wrappedKey } of allMarkers(vault)) {
      if (wrappedKey === null) continue;
      const version = parseWrappedKey(wrappedKey)?.vaultKeyVersion ?? 0;
      if (version === newest.version) this.open(name, wrappedKey);
      if (version > newest.version) {
        throw keyUnavailable(
          `The file of the vault's encryption key is an older copy: its newest version is ${newest.version}, and the bucket ${name} needs ${version}.`,
        );
      }
    }
    this.#compared = newest;
  }
}

const DESTROYED = "destroyed ";

/** Placeholder in a marker for a key that an operator destroyed. */
export function destroyedKey(nowMs: number): string {
  return DESTROYED + new Date(nowMs).toISOString();
}

export function isDestroyed(wrappedKey: string): boolean {
  return wrappedKey.startsWith(DESTROYED);
}

/** Returns the time at which an operator destroyed the key; null for an intact key. */
export function readDestroyedAt(wrappedKey: string): string | null {
  return isDestroyed(wrappedKey) ? wrappedKey.slice(DESTROYED.length) : null;
}

export async function* allMarkers(vault: Pick<VaultVerbs, "list">): AsyncGenerator<BucketMarker> {
  for (let after = ""; ; ) {
    const page = await vault.list(BUCKETS, { prefix: "", after, keyCountMax: PAGE_KEY_COUNT });
    for (const upload of page.uploads) yield parseMarker(upload);
    if (!page.isTruncated) return;
    after = page.uploads.at(-1)?.key ?? after;
  }
}
