/** Content of a pod, for comparisons of two starts of one drive. */
import type { Position } from "@stashlight/shard-store";
import type { PodState } from "@stashlight/write-path";

/** Everything about the entries but their arrivals, and the digests. */
export function describeEntries({ entries, bucketDigests, unresolved }: PodState<Position>): object {
  const held = [...entries.values()].map(({ arrival, position, ...entry }) => entry);
  held.sort((a, b) => (a.upload.uploadId < b.upload.uploadId ? -1 : 1));
  return { held, digests: [...bucketDigests], unresolved: [...unresolved.keys()].sort() };
}

/** Parts of a pod's state that few shards have. */
export function describeRareParts({ tombstones, refused, horizon, damaged, entries }: PodState<Position>) {
  return {
    tombstones: [...tombstones.keys()].sort(),
    refused: [...refused],
    horizon,
    damaged: [...damaged.keys()],
    open: [...entries.open.keys()].sort(),
  };
}
