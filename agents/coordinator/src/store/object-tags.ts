/**
 * Replaces the tags of an object. They are part of its version's header, which every shard repeats, so the object is
 * stored again with the same bytes: this is as durable as a put, and no other code needs to handle tags. For a large
 * object only its list of pieces is stored again; others are at most as large as one piece.
 */
import type { ObjectStore, Tag } from "@stashlight/s3";
import type { Space } from "../space/garbage-collection.ts";
import { VaultError } from "../vault/errors.ts";
import type { StoredObject } from "../vault/objects.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import type { Buckets } from "./buckets.ts";
import { unpackTags, withTags } from "./metadata.ts";
import { findOrThrow } from "./missing.ts";

export interface ObjectTagsOptions {
  readonly space: Pick<Space, "vault">;
  readonly buckets: Pick<Buckets, "check">;
  readonly isDirect: (accessKeyId: string) => boolean;
}

/** More writes between reading and writing than this mean that clients compete for the key. */
const ATTEMPT_COUNT_MAX = 5;

export function createObjectTags({
  space: { vault },
  buckets,
  isDirect,
}: ObjectTagsOptions): Pick<ObjectStore, "putObjectTags"> {
  return {
    putObjectTags: async ({ principal, requestId }, { bucket, key, tags }) => {
      const how = { isDirect: isDirect(principal.accessKey.id), requestId };
      for (let count = 1; count <= ATTEMPT_COUNT_MAX; count += 1) {
        const found = await findOrThrow(buckets, bucket, vault.get(bucket, key));
        if (areAlike(unpackTags(found.upload), tags)) return;
        if (await replaceTags(vault, found, tags, how)) return;
      }
      throw new VaultError("conflict");
    },
  };
}

/**
 * Resolves with false if the version was replaced or deleted meanwhile: that write wins, and has other pieces. A
 * condition on the ETag would not notice a write of the same bytes.
 */
async function replaceTags(
  vault: VaultVerbs,
  { upload, parts }: StoredObject,
  tags: readonly Tag[],
  how: { readonly isDirect: boolean; readonly requestId: string },
): Promise<boolean> {
  const { bucket, key, etag, contentType, uploadId } = upload;
  const object = {
    bucket,
    key,
    etag,
    contentType,
    metadata: withTags(upload, tags),
    bytes: Buffer.concat(parts),
  };
  try {
    await vault.put(object, { type: "version", uploadId }, how);
    return true;
  } catch (error) {
    if (error instanceof VaultError && error.code === "precondition") return false;
    throw error;
  }
}

function areAlike(some: readonly Tag[], others: readonly Tag[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
