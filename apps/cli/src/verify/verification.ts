/** Findings of a verification. */
import type { Durability } from "./durability.ts";

export interface Verification {
  readonly rightCount: number;
  /** Objects that were not compared, because their ETag is not an MD5 or no available key opens them. */
  readonly uncomparedCount: number;
  /** Objects of the ledger that are missing and may be. */
  readonly absentCount: number;
  readonly lost: readonly Finding[];
  /** Listed objects that are lost as well: too few of their shards can be read now. */
  readonly unreadable: readonly Finding[];
  /** Buckets that are not listed, or cannot be, although objects of them exist. */
  readonly lostBuckets: readonly LostBucket[];
  readonly wrong: readonly Finding[];
  /** Number of objects by durable shards; an object in pieces counts with its minimum. */
  readonly objectCountByDurableShards: ReadonlyMap<number, number>;
  /** Object with the fewest durable shards. */
  readonly weakest: Durability | null;
  /** Objects that changed during the check, or whose pieces could not be queried: their durability is unknown. */
  readonly unmeasuredCount: number;
  readonly silentNodeIds: readonly string[];
}

export interface Finding {
  readonly bucket: string;
  readonly key: string;
  readonly why: string;
}

export interface LostBucket {
  readonly bucket: string;
  readonly why: string;
}

export function isGood({ lost, unreadable, lostBuckets, wrong }: Verification): boolean {
  return [lost, unreadable, lostBuckets, wrong].every(({ length }) => length === 0);
}
