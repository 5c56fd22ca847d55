/** Erasure schemes and every threshold of the protocol, as one table per scheme. */
import assert from "node:assert/strict";
import type { Scheme } from "@stashlight/erasure";

export type { Scheme };

export const schemes = {
  "17+3": { dataShardCount: 17, parityShardCount: 3 },
  "16+4": { dataShardCount: 16, parityShardCount: 4 },
  "15+5": { dataShardCount: 15, parityShardCount: 5 },
} as const satisfies Record<string, Scheme>;

export interface Quorums {
  /** n: number of shards of an upload, and of pods in a vault. */
  readonly shardCount: number;
  /** k: number of shards that suffice to decode the bytes. */
  readonly decode: number;
  /** q = n - 1: number of pods that have written, and of shards that are durable, before an upload is acknowledged. */
  readonly acknowledge: number;
  /**
   * Number of settled pods that a read needs answers from: m + 1 intersect every set of k pods, so no version that was
   * ever shown is missed.
   */
  readonly discover: number;
  /** Number of pods that promise never to take an upload: m + 1 leave at most k - 1, which is too few to decode. */
  readonly refuse: number;
  /**
   * Number of promises after which an upload is called dead: 2m (or m + 1, which is equal, if m is 1). If media of m -
   * 1 nodes are lost later, m + 1 are left.
   */
  readonly bury: number;
  /** Number of refusals after which q cannot be reached. */
  readonly defeat: number;
}

/**
 * Computes the quorums of a scheme. Throws a RangeError for one with which the protocol cannot be safe: it needs
 * parity, and more than half of the shards to decode, so that at most one of two conflicting attempts can ever have k.
 */
export function quorumsOf({ dataShardCount: k, parityShardCount: m }: Scheme): Quorums {
  if (!Number.isInteger(k) || !Number.isInteger(m) || m < 1 || k <= m || k + m < 3 || k + m > 256) {
    throw new RangeError(`A vault's scheme has k > m >= 1 and 3 <= k + m <= 256, not ${k}+${m}.`);
  }
  const n = k + m;
  const quorums = {
    shardCount: n,
    decode: k,
    acknowledge: n - 1,
    discover: m + 1,
    refuse: m + 1,
    bury: 2 * m,
    defeat: 2,
  };
  // Two acknowledged writes of one key meet on a pod, which refuses the lower version order.
  assert(2 * quorums.acknowledge > n);
  // At most one of two conflicting attempts can be completed.
  assert(2 * quorums.decode > n);
  // A read intersects every acknowledged version, and every version that a reader completed on k pods and showed.
  assert(quorums.discover + quorums.decode > n);
  assert(quorums.discover + quorums.acknowledge > n);
  // A permanently refused upload can be neither acknowledged nor decoded.
  assert(quorums.refuse + quorums.acknowledge > n);
  assert(quorums.refuse + quorums.decode > n);
  // A death verdict survives the loss of as many media as an acknowledged upload does.
  assert(quorums.bury - (m - 1) >= quorums.refuse && quorums.bury <= n);
  return quorums;
}

/**
 * Maximum shards of one object on one stash server, so that a power cut plus `deadServerCount` dead servers leave k:
 * floor((q - k) / f), and at least one.
 */
export function shardsPerServerMax(scheme: Scheme, deadServerCount: number): number {
  const { acknowledge, decode } = quorumsOf(scheme);
  return Math.max(1, Math.floor((acknowledge - decode) / deadServerCount));
}

/** Minimum number of stash servers for a vault to survive a power cut plus `deadServerCount` dead servers. */
export function serverCountMin(scheme: Scheme, deadServerCount: number): number {
  return Math.ceil(quorumsOf(scheme).shardCount / shardsPerServerMax(scheme, deadServerCount));
}
