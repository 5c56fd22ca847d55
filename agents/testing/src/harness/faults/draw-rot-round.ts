/** Rounds of bit rot; the same seed and number draw the same round. */
import { randomNumbers } from "./draw-round.ts";

export interface RotRound {
  readonly number: number;
  /** Shards of one object that rot, from 1 to one more than the object can spare. */
  readonly shardCount: number;
  /** One of them is on the stash, because the drive of its pod is away while the object is uploaded. */
  readonly isOnStash: boolean;
  readonly bitsPerShard: number;
  /** Part of a record in which bits are flipped; both are covered by checksums. */
  readonly part: "header" | "payload";
  /** All agents are killed while the scrub is under way. */
  readonly isKilled: boolean;
  /** Clients read every object meanwhile; otherwise no client reads anything until all is repaired. */
  readonly hasReaders: boolean;
  readonly random: () => number;
}

const STASH_EVERY = 4;
/** Prime to the counts of shards, so that readers meet rounds of every count. */
const READERS_EVERY = 7;
const BITS_MAX = 8;

/** Counts and places come up in turn, so that few rounds have them all; the rest is drawn. */
export function drawRotRound(seed: number, number: number, parityShardCount: number): RotRound {
  const random = randomNumbers(`rot/${seed}/${number}`);
  const shardCount = 1 + (number % (parityShardCount + 1));
  const isOnStash = number % STASH_EVERY === 1;
  const isKilled = number % STASH_EVERY === 3;
  // Payloads alone: a record whose header is lost is not known after a restart, and the pod learns of it from others.
  const part = !isKilled && shardCount <= parityShardCount && random() < 0.3 ? "header" : "payload";
  return {
    number,
    shardCount,
    isOnStash,
    bitsPerShard: random() < 0.5 ? 1 : 1 + Math.floor(random() * BITS_MAX),
    part,
    isKilled,
    hasReaders: number % READERS_EVERY === 2,
    random,
  };
}
