/** Reads one object back, and compares it with its expected state. */
import { createHash } from "node:crypto";
import { type S3Client, S3ClientError } from "@stashlight/s3/client";
import type { Expectation } from "../load/ledger.ts";
import { retryWhileUnavailable } from "../vault/retry-requests.ts";

export interface ObjectToCheck {
  readonly bucket: string;
  readonly key: string;
  /** Undefined if only the list mentions it. */
  readonly expectation: Expectation | undefined;
}

export type CheckedObject =
  /** `isCompared` is false if its ETag is not an MD5, or it is encrypted with an SSE-C key or a destroyed key. */
  | {
      readonly type: "right";
      readonly etag: string;
      readonly sizeBytes: number;
      readonly isCompared: boolean;
    }
  /** The object is missing, which is permitted. */
  | { readonly type: "absent" }
  | { readonly type: "wrong"; readonly why: string }
  /** It exists, but too few of its shards can be read; it becomes readable when its drives are back. */
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
    if (expectation !== undefined) return { type: "lost", why: "it was acknowledged and does not exist" };
    // The object may have been deleted since it was listed.
    const isListed = await isInList(client, object);
    return isListed ? { type: "lost", why: "it is listed and does not exist" } : { type: "absent" };
  }
  const { etag, md5, sizeBytes } = found;
  const isCompared = /^[0-9a-f]{32}$/.test(etag);
  if (isCompared && md5 !== etag) return { type: "wrong", why: `its MD5 is ${md5} and its ETag ${etag}` };
  if (expectation !== undefined && !expectation.allowed.has(etag)) {
    const allowed = [...expectation.allowed].map((other) => other ?? "no object").join(" or ");
    return { type: "wrong", why: `it has the ETag ${etag}, but ${allowed} was acknowledged` };
  }
  return { type: "right", etag, sizeBytes, isCompared };
}

type Found =
  | { readonly type: "present"; readonly etag: string; readonly md5: string; readonly sizeBytes: number }
  | { readonly type: "absent" }
  /** It is encrypted with a key that only its client has, or that an operator destroyed. */
  | { readonly type: "locked" }
  | { readonly type: "unreadable"; readonly code: string; readonly message: string };

/** The vault's answer after querying all nodes if too few shards can be read. */
const SHORT_OF_SHARDS = "ObjectUnreadable";
/**
 * Number of such answers after which an object is reported: at once if all nodes answer, and after ten seconds if some
 * do not, which may be back by then.
 */
const SHORT_COUNT_MAX = 3;

async function readBack(client: S3Client, object: ObjectToCheck): Promise<Found> {
  let shortCount = 0;
  try {
    return await retryWhileUnavailable(async () => {
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
    // Without access to the bucket, the list that is searched for locked objects is refused as well.
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

/** An object that no available key opens is present as listed, and not compared. */
async function describeLocked(client: S3Client, { bucket, key }: ObjectToCheck): Promise<CheckedObject> {
  const { objects } = await retryWhileUnavailable(() => client.listPage(bucket, { prefix: key }));
  const listed = objects.find((each) => each.key === key);
  if (listed === undefined) return { type: "absent" };
  return { type: "right", etag: listed.etag, sizeBytes: listed.sizeBytes, isCompared: false };
}

async function isInList(client: S3Client, { bucket, key }: ObjectToCheck): Promise<boolean> {
  const { objects } = await retryWhileUnavailable(() => client.listPage(bucket, { prefix: key }));
  return objects.some((listed) => listed.key === key);
}
