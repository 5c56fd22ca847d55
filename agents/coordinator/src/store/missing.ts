/** Distinguishes a missing object from a missing bucket. */
import { S3Error } from "@stashlight/s3";
import type { Buckets } from "./buckets.ts";

/** Rejects with NoSuchKey or NoSuchBucket if nothing was found. */
export async function findOrThrow<Found>(
  buckets: Pick<Buckets, "check">,
  bucket: string,
  looking: Promise<Found | null>,
): Promise<Found> {
  const found = await looking;
  if (found !== null) return found;
  await buckets.check(bucket);
  throw new S3Error("NoSuchKey");
}
