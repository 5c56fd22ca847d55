import { type ObjectStore, S3Error } from "@stashlight/s3";
import { VaultError } from "../vault/errors.ts";
import type { Vault } from "../vault/vault.ts";
import { createBuckets } from "./buckets.ts";
import { createMultipart } from "./multipart.ts";
import { createObjects } from "./objects.ts";

export interface ObjectStoreOptions {
  readonly vault: Vault;
  readonly pieceBytes: number;
  readonly isDirect: (accessKeyId: string) => boolean;
  readonly nowMs: () => number;
}

/** The S3 edge's store on a vault. */
export function createObjectStore({ vault, pieceBytes, isDirect, nowMs }: ObjectStoreOptions): ObjectStore {
  const buckets = createBuckets(vault, nowMs);
  const store: ObjectStore = {
    ...buckets,
    ...createObjects({ vault, buckets, pieceBytes, isDirect }),
    ...createMultipart({ vault, buckets, pieceBytes }),
  };
  return withS3Errors(store);
}

const codes = {
  precondition: "PreconditionFailed",
  conflict: "ConditionalRequestConflict",
  unavailable: "SlowDown",
} as const;

/** Every verb says what the vault refused in the words of S3. */
function withS3Errors(store: ObjectStore): ObjectStore {
  const entries = Object.entries(store).map(([name, verb]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await (verb as (...args: unknown[]) => Promise<unknown>)(...args);
      } catch (error) {
        if (error instanceof VaultError) throw new S3Error(codes[error.code], undefined, { cause: error });
        throw error;
      }
    },
  ]);
  return Object.fromEntries(entries) as ObjectStore;
}
