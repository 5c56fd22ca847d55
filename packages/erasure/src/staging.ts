import { alignUp } from "./codec.ts";
import { SHARD_ALIGNMENT } from "./kernel/engine.ts";

/** Memory for copies of shards stored elsewhere, sized to fit the L2 cache. */
export const STAGING_BYTES = 262_144;

/**
 * Processes shards of any length in chunks: copies the current ones in `shards` into the staging memory, has `compute`
 * work on the addresses, and copies the shards in `results` out. Both lists are indexed by shard; holes are null. Stops
 * when `compute` returns false, and returns its last result.
 */
export function throughStaging(
  heap: Uint8Array,
  stagingStart: number,
  shardBytes: number,
  shards: readonly (Uint8Array | null)[],
  results: readonly (Uint8Array | null)[],
  compute: (addresses: readonly number[], byteCount: number) => boolean,
): boolean {
  // An odd number of lines, so that the chunks do not share cache sets.
  const lines = (Math.floor(STAGING_BYTES / SHARD_ALIGNMENT / shards.length) - 1) | 1;
  const chunkBytes = lines * SHARD_ALIGNMENT;
  const addresses = shards.map((_, index) => stagingStart + index * chunkBytes);
  for (let from = 0; from < shardBytes; from += chunkBytes) {
    const to = Math.min(shardBytes, from + chunkBytes);
    for (const [index, shard] of shards.entries()) {
      const address = addresses[index] as number;
      if (shard !== null) heap.set(shard.subarray(from, to), address);
      heap.fill(0, address + to - from, address + alignUp(to - from));
    }
    if (!compute(addresses, to - from)) return false;
    for (const [index, result] of results.entries()) {
      const address = addresses[index] as number;
      result?.set(heap.subarray(address, address + to - from), from);
    }
  }
  return true;
}
