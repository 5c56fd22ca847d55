/** Reads one object back, and says whether it is what it should be. */
import { createHash } from "node:crypto";
import { type S3Client, S3ClientError } from "@stashlight/s3/client";
import type { Expectation } from "../load/ledger.ts";
import { patiently } from "../vault/patience.ts";

export interface ObjectToCheck {
  readonly bucket: string;
  readonly key: string;
  /** Undefined when only the list speaks of it. */
  readonly expectation: Expectation | undefined;
}

export type CheckedObject =
  /** `isCompared` is false when its ETag is no MD5, or the key that it needs is its client's or destroyed. */
  | {
      readonly type: "right";
      readonly etag: string;
      readonly sizeBytes: number;
      readonly isCompared: boolean;
    }
  /** It is not there, and need not be. */
  | { readonly type: "absent" }
  | { readonly type: "wrong"; readonly why: string }
  /** It exists, and too few of its shards can be read; it comes back with its drives. */
  | { readonly type: "unreadable"; readonly why: string }
  | { readonly type: "lost"; readonly why: string };

export async function checkObject(client: S3Client, object: ObjectToCheck): Promise<CheckedObject> {
  const { expectation } = object;
  const found = await readBack(client, object);
  if (found.type === "unreadable") {
    const isShort = found.code === SHORT_OF_SHARDS;
    return isShort
      ? { type: "unreadable", why: found.message }
      : { type: "lost", why: `it cannot be read (${found.code})` };
  }
  if (found.type === "locked") return await describeLocked(client, object);
  if (found.type === "absent") {
    if (expectation?.allowed.has(null)) return { type: "absent" };
    if (expectation !== undefined) return { type: "lost", why: "it was acknowledged and is not there" };
    // Somebody may have deleted it since it was listed.
    const isListed = await isInList(client, object);
    return isListed ? { type: "lost", why: "it is listed and is not there" } : { type: "absent" };
  }
  const { etag, md5, sizeBytes } = found;
  const isCompared = /^[0-9a-f]{32}$/.test(etag);
  if (isCompared && md5 !== etag) return { type: "wrong", why: `its MD5 is ${md5} and its ETag ${etag}` };
  if (expectation !== undefined && !expectation.allowed.has(etag)) {
    const allowed = [...expectation.allowed].map((other) => other ?? "no object").join(" or ");
    return { type: "wrong", why: `it has the ETag ${etag}, and ${allowed} was acknowledged` };
  }
  return { type: "right", etag, sizeBytes, isCompared };
}

type Found =
  | { readonly type: "present"; readonly etag: string; readonly md5: string; readonly sizeBytes: number }
  | { readonly type: "absent" }
  /** It is encrypted by a key that only its client has, or that an operator destroyed. */
  | { readonly type: "locked" }
  | { readonly type: "unreadable"; readonly code: string; readonly message: string };

/** The vault's answer when it has asked all nodes and too few shards can be read. */
const SHORT_OF_SHARDS = "ObjectUnreadable";
/** Reports it at once where all nodes answer, and after ten seconds where some do not, which may be back by then. */
const SHORT_COUNT_MAX = 3;

async function readBack(client: S3Client, object: ObjectToCheck): Promise<Found> {
  let shortCount = 0;
  try {
    return await patiently(async () => {
      try {
        return await readOnce(client, object);
      } catch (error) {
        const isShort = error instanceof S3ClientError && error.code === SHORT_OF_SHARDS;
        if (!isShort || ++shortCount < SHORT_COUNT_MAX) throw error;
        return { type: "unreadable", code: error.code, message: error.message };
      }
    });
  } catch (error) {
    if (!(error instanceof S3ClientError)) throw error;
    if (error.code === "NoSuchKey" || error.code === "NoSuchBucket") return { type: "absent" };
    // Without access to the bucket, the list that locked objects are looked up in is refused as well.
    if (error.code === "InvalidRequest" || error.code === "AccessDenied") return { type: "locked" };
    if (!error.isRetryable) throw error;
    return { type: "unreadable", code: error.code, message: error.message };
  }
}

async function readOnce(client: S3Client, { bucket, key }: ObjectToCheck): Promise<Found> {
  const { head, chunks } = await client.openObject({ bucket, key });
  const hash = createHash("md5");
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { type: "present", etag: head.etag, md5: hash.digest("hex"), sizeBytes };
}

/** An object that no key here opens is there as its list has it, and is not compared. */
async function describeLocked(client: S3Client, { bucket, key }: ObjectToCheck): Promise<CheckedObject> {
  const { objects } = await patiently(() => client.listPage(bucket, { prefix: key }));
  const listed = objects.find((each) => each.key === key);
  if (listed === undefined) return { type: "absent" };
  return { type: "right", etag: listed.etag, sizeBytes: listed.sizeBytes, isCompared: false };
}

async function isInList(client: S3Client, { bucket, key }: ObjectToCheck): Promise<boolean> {
  const { objects } = await patiently(() => client.listPage(bucket, { prefix: key }));
  return objects.some((listed) => listed.key === key);
}
