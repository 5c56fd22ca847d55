/** Lists buckets and their objects, and names the buckets that cannot be listed. */
import { type ListPage, type S3Client, S3ClientError } from "@stashlight/s3/client";
import { retryWhileUnavailable } from "../vault/retry-requests.ts";
import type { LostBucket } from "./verification.ts";

export interface BucketsToList {
  /** Null for all. */
  readonly bucket: string | null;
  /** Buckets that must exist, because objects of them are known from elsewhere. */
  readonly withObjects: ReadonlySet<string>;
}

const IS_GONE = "it does not exist, but objects in it do";

/** Calls `found` for each object. Ignores a bucket that is deleted during the listing. */
export async function listAll(
  client: S3Client,
  { bucket, withObjects }: BucketsToList,
  found: (bucket: string, key: string) => void,
): Promise<LostBucket[]> {
  const listed = bucket === null ? await retryWhileUnavailable(() => client.listBuckets()) : [bucket];
  const lost: LostBucket[] = [...withObjects]
    .filter((name) => !listed.includes(name))
    .map((name) => ({ bucket: name, why: IS_GONE }));
  for (const name of listed) {
    try {
      await listBucket(client, name, (key) => found(name, key));
    } catch (error) {
      if (!(error instanceof S3ClientError) || error.kind !== "answered") throw error;
      const isGone = error.code === "NoSuchBucket";
      if (isGone && withObjects.has(name)) lost.push({ bucket: name, why: IS_GONE });
      else if (isGone && bucket !== null) throw error;
      else if (!isGone) lost.push({ bucket: name, why: `its objects cannot be listed (${error.code})` });
    }
  }
  return lost;
}

async function listBucket(client: S3Client, bucket: string, found: (key: string) => void): Promise<void> {
  let token: string | null = null;
  do {
    const from: string | null = token;
    const page: ListPage = await retryWhileUnavailable(() => client.listPage(bucket, { token: from }));
    for (const { key } of page.objects) found(key);
    token = page.nextToken;
  } while (token !== null);
}
