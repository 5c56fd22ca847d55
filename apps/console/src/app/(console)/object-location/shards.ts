/** Describes a vault's answer about an object's shards. */
import type { FoundObject, LocatedShard } from "@stashlight/contracts/object-location";

export type ShardState = "durable" | "not durable" | "not found";

export interface ShardOfObject {
  readonly index: number;
  readonly state: ShardState;
  readonly copies: readonly LocatedShard[];
}

/** Every shard that the object should have, including those that no node holds. */
export function shardsOfObject({ shardCount, shards }: FoundObject): ShardOfObject[] {
  return Array.from({ length: shardCount }, (_, index) => {
    const copies = shards.filter((shard) => shard.index === index);
    const isDurable = copies.some((copy) => copy.isDurable);
    return { index, copies, state: isDurable ? "durable" : copies.length > 0 ? "not durable" : "not found" };
  });
}

/** Accepts one missing shard as normal: an upload is acknowledged when all shards but one are durable on the stash. */
export function describeDurability({
  durableShardCount,
  dataShardCount,
  shardCount,
}: FoundObject): "good" | "warning" | "bad" {
  if (durableShardCount >= shardCount - 1) return "good";
  return durableShardCount >= dataShardCount ? "warning" : "bad";
}

/** Names the part whose shards are listed, if the object has several parts. */
export function partListed({ pieces }: FoundObject): string | null {
  if (pieces === null) return null;
  const { count, askedCount, weakest } = pieces;
  const asked = askedCount < count ? `the first ${askedCount} of ${count}` : `${count}`;
  const part = weakest === null ? "the list of its pieces" : `piece ${weakest + 1}`;
  return `It is stored in pieces; ${asked} were requested. Below is ${part}, the one with the fewest durable shards.`;
}
