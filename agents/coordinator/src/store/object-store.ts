import { setTimeout as delay } from "node:timers/promises";
import type { ObjectName, ObjectStore } from "@stashlight/s3";
import { BucketKeys } from "../encryption/bucket-keys.ts";
import { ObjectSeals } from "../encryption/object-seals.ts";
import type { VaultKeyring } from "../encryption/vault-keyring.ts";
import type { Space } from "../space/garbage-collection.ts";
import { VaultError } from "../vault/errors.ts";
import { s3ErrorOf } from "../vault/s3-error.ts";
import { createBuckets } from "./buckets.ts";
import { createMultipart } from "./multipart.ts";
import { createObjectTags } from "./object-tags.ts";
import { createObjects } from "./objects.ts";

export interface ObjectStoreOptions {
  readonly space: Space;
  readonly keyring: VaultKeyring;
  readonly pieceBytes: number;
  readonly smallUploadBytesMax: number;
  readonly countCoordinators: () => number;
  /** Bytes of bodies that the vault can still take. */
  readonly freeBytes: () => number;
  readonly isDirect: (accessKeyId: string) => boolean;
  /** Generates the id of a new multipart upload; random by default. */
  readonly newUploadId?: (name: ObjectName) => string;
  readonly nowMs: () => number;
}

/** Creates the S3 edge's store on a vault. */
export function createObjectStore(options: ObjectStoreOptions): ObjectStore {
  const { space, keyring, freeBytes } = options;
  const keys = new BucketKeys({ vault: space.vault, keyring });
  const { encryptsNewBuckets } = keyring;
  const buckets = createBuckets({ ...options, vault: space.vault, keys, encryptsNewBuckets, wait: delay });
  const seals = new ObjectSeals({ keys, findMarker: buckets.findMarker });
  const parts = { ...options, buckets, seals };
  const store: ObjectStore = {
    ...buckets,
    ...createObjects(parts),
    ...createObjectTags(parts),
    ...createMultipart(parts),
  };
  return withS3Errors(store, freeBytes);
}

/** Makes every verb report the vault's refusals as S3 errors. */
function withS3Errors(store: ObjectStore, freeBytes: () => number): ObjectStore {
  const entries = Object.entries(store).map(([name, verb]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await (verb as (...args: unknown[]) => Promise<unknown>)(...args);
      } catch (error) {
        if (error instanceof VaultError) throw s3ErrorOf(error, freeBytes());
        throw error;
      }
    },
  ]);
  return Object.fromEntries(entries) as ObjectStore;
}
