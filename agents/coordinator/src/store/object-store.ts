import { setTimeout as delay } from "node:timers/promises";
import type { ObjectName, ObjectStore } from "@stashlight/s3";
import type { Space } from "../space/space.ts";
import { VaultError } from "../vault/errors.ts";
import { s3ErrorOf } from "../vault/s3-error.ts";
import { createBuckets } from "./buckets.ts";
import { createMultipart } from "./multipart.ts";
import { createObjectTags } from "./object-tags.ts";
import { createObjects } from "./objects.ts";

export interface ObjectStoreOptions {
  readonly space: Space;
  readonly pieceBytes: number;
  readonly coordinatorCount: number;
  /** Bytes of bodies that the vault can still take. */
  readonly freeBytes: () => number;
  readonly isDirect: (accessKeyId: string) => boolean;
  /** The id of a new multipart upload; drawn at random by default. */
  readonly newUploadId?: (name: ObjectName) => string;
  readonly nowMs: () => number;
}

/** The S3 edge's store on a vault. */
export function createObjectStore({
  space,
  pieceBytes,
  coordinatorCount,
  freeBytes,
  isDirect,
  newUploadId,
  nowMs,
}: ObjectStoreOptions): ObjectStore {
  const buckets = createBuckets({ vault: space.vault, coordinatorCount, nowMs, wait: delay });
  const store: ObjectStore = {
    ...buckets,
    ...createObjects({ space, buckets, pieceBytes, isDirect }),
    ...createObjectTags({ space, buckets, isDirect }),
    ...createMultipart({ space, buckets, pieceBytes, newUploadId }),
  };
  return withS3Errors(store, freeBytes);
}

/** Every verb says what the vault refused in the words of S3. */
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
