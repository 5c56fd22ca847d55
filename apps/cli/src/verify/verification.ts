/** What a verification found. */
import type { Durability } from "./durability.ts";

export interface Verification {
  readonly rightCount: number;
  /** Right objects whose ETag is no MD5: read whole, unless no key here opens them, and not compared. */
  readonly uncomparedCount: number;
  /** Objects of the ledger that need not be there and are not. */
  readonly absentCount: number;
  readonly lost: readonly Finding[];
  /** Lost as well, and listed: too few of their shards can be read now. */
  readonly unreadable: readonly Finding[];
  /** Buckets that are not listed, or cannot be, although objects of them exist. */
  readonly lostBuckets: readonly LostBucket[];
  readonly wrong: readonly Finding[];
  /** How many objects have how many durable shards; one in pieces has as many as the least of them. */
  readonly objectCountByDurableShards: ReadonlyMap<number, number>;
  /** The object with the fewest durable shards. */
  readonly weakest: Durability | null;
  /** Objects that changed meanwhile, or whose pieces could not be asked for: nobody says how durable they are. */
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
