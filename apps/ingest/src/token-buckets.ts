import type { BucketRule } from "./limits.ts";

/** Beyond this number the least recently used buckets are forgotten; a forgotten one is full again. */
const BUCKET_COUNT_MAX = 50_000;

export interface Buckets {
  /** Takes a token. Returns null, or the seconds until one is available. */
  take(key: string): { waitSeconds: number } | null;
  /** True if no token is available, without taking one. */
  isEmpty(key: string): boolean;
}

/** Token buckets in this process: a client that exceeds the rate is asked to retry later. */
export function createBuckets(rule: BucketRule, nowMs: () => number): Buckets {
  const buckets = new Map<string, { left: number; atMs: number }>();
  const tokensLeft = (key: string, atMs: number): number => {
    const bucket = buckets.get(key);
    if (bucket === undefined) return rule.burst;
    return Math.min(rule.burst, bucket.left + ((atMs - bucket.atMs) / 1000) * rule.perSecond);
  };
  return {
    isEmpty: (key) => tokensLeft(key, nowMs()) < 1,
    take: (key) => {
      const atMs = nowMs();
      const left = tokensLeft(key, atMs);
      if (left < 1) return { waitSeconds: Math.ceil((1 - left) / rule.perSecond) };
      buckets.delete(key);
      buckets.set(key, { left: left - 1, atMs });
      if (buckets.size > BUCKET_COUNT_MAX) buckets.delete(buckets.keys().next().value ?? "");
      return null;
    },
  };
}
