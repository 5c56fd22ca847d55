/** Buckets are objects of a bucket whose name no client can say. */
import { type BucketInfo, type ObjectStore, S3Error } from "@stashlight/s3";
import { VaultError } from "../vault/errors.ts";
import type { Vault } from "../vault/vault.ts";
import { modifiedMsOf } from "./metadata.ts";

export const BUCKETS = ".buckets";

const NOTHING = new Uint8Array(0);
const PAGE_KEY_COUNT = 1000;
/** A bucket that another coordinator has removed is believed in for so long. */
const BELIEF_MS = 5000;

type BucketVerbs = Pick<ObjectStore, "listBuckets" | "createBucket" | "headBucket" | "deleteBucket">;

export interface Buckets extends BucketVerbs {
  /** Rejects with NoSuchBucket. */
  check(bucket: string): Promise<void>;
}

export function createBuckets(vault: Vault, nowMs: () => number): Buckets {
  const believedUntilMs = new Map<string, number>();

  const find = async (bucket: string): Promise<BucketInfo> => {
    const upload = await vault.head(BUCKETS, bucket);
    if (upload === null) {
      believedUntilMs.delete(bucket);
      throw new S3Error("NoSuchBucket");
    }
    believedUntilMs.set(bucket, nowMs() + BELIEF_MS);
    return { name: bucket, createdMs: modifiedMsOf(upload) };
  };

  return {
    check: async (bucket) => {
      if ((believedUntilMs.get(bucket) ?? 0) < nowMs()) await find(bucket);
    },
    listBuckets: async () => {
      const buckets: BucketInfo[] = [];
      for (let after = ""; ; after = buckets.at(-1)?.name ?? "") {
        const page = await vault.list(BUCKETS, { prefix: "", after, keyCountMax: PAGE_KEY_COUNT });
        buckets.push(
          ...page.uploads.map((upload) => ({ name: upload.key, createdMs: modifiedMsOf(upload) })),
        );
        if (!page.isTruncated) return buckets;
      }
    },
    createBucket: async (_context, { bucket }) => {
      const marker = {
        bucket: BUCKETS,
        key: bucket,
        bytes: NOTHING,
        etag: "",
        contentType: "",
        metadata: {},
      };
      try {
        await vault.put(marker, { type: "absent" });
      } catch (error) {
        if (error instanceof VaultError && error.code === "precondition") {
          throw new S3Error("BucketAlreadyOwnedByYou");
        }
        throw error;
      }
    },
    headBucket: (_context, { bucket }) => find(bucket),
    deleteBucket: async (_context, { bucket }) => {
      await find(bucket);
      const { uploads } = await vault.list(bucket, { prefix: "", after: "", keyCountMax: 1 });
      if (uploads.length > 0) throw new S3Error("BucketNotEmpty");
      await vault.delete(BUCKETS, bucket);
      believedUntilMs.delete(bucket);
    },
  };
}
