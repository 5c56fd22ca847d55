/** Draws rounds of bit rot; the same seed and number draw the same round. */
import { randomNumbers } from "./draw-round.ts";

export interface RotRound {
  readonly number: number;
  /** Number of an object's shards that rot, from 1 to one more than the object can spare. */
  readonly shardCount: number;
  /** True if one of them is on the stash, because its pod's drive is unavailable during the upload. */
  readonly isOnStash: boolean;
  readonly bitsPerShard: number;
  /** Part of a record in which bits are flipped; checksums cover both. */
  readonly part: "header" | "payload";
  /** True if all agents are killed during the scrub. */
  readonly isKilled: boolean;
  /** True if clients read every object meanwhile; otherwise none reads until everything is repaired. */
  readonly hasReaders: boolean;
  readonly random: () => number;
}

const STASH_EVERY = 4;
/** Coprime to the counts of shards, so that readers meet rounds of every count. */
const READERS_EVERY = 7;
const BITS_MAX = 8;

/** Shard counts and places rotate, so that a few rounds cover them all; the rest is drawn at random. */
export function drawRotRound(seed: number, number: number, parityShardCount: number): RotRound {
  const random = randomNumbers(`rot/${seed}/${number}`);
  const shardCount = 1 + (number % (parityShardCount + 1));
  const isOnStash = number % STASH_EVERY === 1;
  const isKilled = number % STASH_EVERY === 3;
  // Only payloads in some rounds: after a restart a record without a header is unknown, and the pod learns of it from
  // others.
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
