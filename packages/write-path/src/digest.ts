/**
 * Digest of a pod's index: upload ids fall into buckets by their fingerprints, and the digest of a bucket is the sum
 * of the fingerprints in it. Pods with equal digests of a bucket hold the same uploads in it; different sets of
 * uploads collide once in 2^52 comparisons. Nodes of the vault draw 96 bits of an upload id at random, so deliberate
 * collisions are not considered.
 */
import type { BucketDigest } from "./messages/index.ts";
import type { UploadId } from "./shard.ts";

const BUCKET_COUNT = 1024;
export const DIGEST_LIMIT = 2 ** 52;

/** Digest of each bucket; 0 for an empty one. */
export type Digests = Float64Array;

export function createDigests(): Digests {
  return new Float64Array(BUCKET_COUNT);
}

/** Returns the buckets that are not empty. */
export function filledBuckets(digests: Digests): BucketDigest[] {
  const filled: BucketDigest[] = [];
  for (let bucket = 0; bucket < digests.length; bucket += 1) {
    const digest = digests[bucket] ?? 0;
    if (digest > 0) filled.push({ bucket, digest });
  }
  return filled;
}

export interface Fingerprint {
  readonly bucket: number;
  /** 52 bits. */
  readonly value: number;
}

export function fingerprintOf(uploadId: UploadId): Fingerprint {
  let left = 0x811c9dc5;
  let right = 0x2f6b1a3d;
  for (let at = 0; at < uploadId.length; at += 1) {
    const unit = uploadId.charCodeAt(at);
    left = Math.imul(left ^ unit, 0x01000193);
    right = Math.imul(right ^ (unit + 0x9e), 0x85ebca6b);
    right ^= right >>> 15;
  }
  const high = mixed(left ^ Math.imul(right, 0x9e3779b9));
  const low = mixed(right ^ Math.imul(left, 0x7feb352d));
  return { bucket: low % BUCKET_COUNT, value: high * 2 ** 20 + (low >>> 12) };
}

/** Applies the last step of MurmurHash3, after which every bit of the hash depends on all bits of the input. */
function mixed(hash: number): number {
  let value = hash ^ (hash >>> 16);
  value = Math.imul(value, 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

export function addToDigests(digests: Digests, { bucket, value }: Fingerprint): void {
  // Subtracts, because computing a remainder of numbers this large would take longer than everything else here.
  const sum = (digests[bucket] as number) + value;
  digests[bucket] = sum < DIGEST_LIMIT ? sum : sum - DIGEST_LIMIT;
}

export function removeFromDigests(digests: Digests, { bucket, value }: Fingerprint): void {
  const rest = (digests[bucket] as number) - value;
  digests[bucket] = rest < 0 ? rest + DIGEST_LIMIT : rest;
}
