import { schemeName } from "./codec.ts";
import { counted, ErasureError } from "./error.ts";
import type { Scheme } from "./scheme.ts";

/** Checks that there are `count` shards and that all present ones have equal length; returns that length. */
export function checkShards(
  scheme: Scheme,
  shards: readonly (Uint8Array | null)[],
  count: number,
  kind: string,
): number {
  if (shards.length !== count) {
    throw new ErasureError(
      "wrong_shard_count",
      `${schemeName(scheme)} has ${counted(count, kind)}; ${shards.length} ${shards.length === 1 ? "was" : "were"} given.`,
    );
  }
  const first = shards.findIndex((shard) => shard !== null);
  const shardBytes = shards[first]?.length ?? 0;
  const odd = shards.findIndex((shard) => shard !== null && shard.length !== shardBytes);
  if (odd >= 0) {
    throw new ErasureError(
      "unequal_shard_lengths",
      `All shards must be equally long; shard ${first} has ${counted(shardBytes, "byte")} and shard ${odd} has ${shards[odd]?.length}.`,
    );
  }
  return shardBytes;
}
