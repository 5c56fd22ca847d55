/** How many shards of an object would be there after a power cut, from what all nodes say they hold. */
import type { VaultFile } from "@stashlight/agent/config";
import { askHeldShards, countDurableShards, type ReportedShard } from "@stashlight/agent/durability";

export interface ObjectVersion {
  readonly bucket: string;
  readonly key: string;
  readonly etag: string;
}

export interface Durability {
  readonly object: ObjectVersion;
  /** Different shards; null when the object has changed meanwhile. */
  readonly durableShardCount: number | null;
}

export interface DurabilityReport {
  readonly durabilities: readonly Durability[];
  /** Nodes that did not answer; what they hold counts as not durable. */
  readonly silentNodeIds: ReadonlySet<string>;
}

/** All of these objects are of one bucket. */
export async function measureDurability(
  { nodes }: VaultFile,
  objects: readonly ObjectVersion[],
): Promise<DurabilityReport> {
  const silentNodeIds = new Set<string>();
  const keys = objects.map(({ key }) => key);
  const bucket = objects[0]?.bucket ?? "";
  const shards = await askHeldShards({ nodes, bucket, keys, silentNodeIds });
  const byKey = Map.groupBy(shards, ({ key }) => key);
  const durabilities = objects.map((object) => {
    return { object, durableShardCount: countDurable(byKey.get(object.key) ?? [], object.etag) };
  });
  return { durabilities, silentNodeIds };
}

/**
 * Of the upload with this ETag that has most; of two with the same bytes the newer may be one that was given up. Null
 * when there is none, or a newer tombstone.
 */
export function countDurable(shards: readonly ReportedShard[], etag: string): number | null {
  const ofBytes = shards.filter((shard) => shard.kind === "object" && shard.etag === etag);
  const isDeleted = shards.some(
    ({ kind, order }) => kind === "tombstone" && ofBytes.every((shard) => shard.order < order),
  );
  if (ofBytes.length === 0 || isDeleted) return null;
  const uploads = Map.groupBy(ofBytes, ({ uploadId }) => uploadId);
  return Math.max(...[...uploads.values()].map(countDurableShards));
}
