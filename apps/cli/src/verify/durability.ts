/** Shards of an object that would survive a power cut, from all nodes' reports. */
import type { VaultNode } from "@stashlight/node-runtime/config";
import {
  type AdminAccess,
  type AskAdmin,
  askHeldShards,
  askPieces,
  countDurableShards,
  type ReportedShard,
} from "@stashlight/node-runtime/durability";

export interface ObjectVersion {
  readonly bucket: string;
  readonly key: string;
  readonly etag: string;
}

export interface ReadObject extends ObjectVersion {
  readonly sizeBytes: number;
  /** Its ETag is the MD5 of its bytes, unlike that of an object uploaded in parts. */
  readonly isCompared: boolean;
}

export interface Durability {
  readonly object: ObjectVersion;
  /**
   * Number of different shards, for an object in pieces the minimum over its list of pieces and all of them; null if
   * the object has changed since, or its pieces are unknown.
   */
  readonly durableShardCount: number | null;
}

export interface DurabilityReport {
  readonly durabilities: readonly Durability[];
  /** Nodes that did not answer; their shards count as not durable. */
  readonly silentNodeIds: ReadonlySet<string>;
}

export interface MeasuredVault {
  readonly nodes: readonly VaultNode[];
  readonly coordinator: VaultNode;
  readonly access: AdminAccess;
  /** Defaults to HTTP. */
  readonly ask?: AskAdmin;
}

/** Pieces have no ETag of their own; their keys are never reused. */
const PIECE_ETAG = "";
const BATCH_OBJECT_COUNT = 200;

export async function measureDurability(
  vault: MeasuredVault,
  objects: readonly ReadObject[],
): Promise<DurabilityReport> {
  const silentNodeIds = new Set<string>();
  const durabilities: Durability[] = [];
  for (const [bucket, ofBucket] of Map.groupBy(objects, (object) => object.bucket)) {
    for (const some of splitBatches(ofBucket)) {
      const keys = some.map(({ key }) => key);
      const byKey = await shardsByKey(vault, bucket, keys, silentNodeIds);
      for (const object of some) {
        const shards = byKey.get(object.key) ?? [];
        const ownCount = countDurable(shards, object.etag);
        const durableShardCount =
          ownCount !== null && isInPieces(object, shards)
            ? await leastOfPieces(vault, object, ownCount, silentNodeIds)
            : ownCount;
        durabilities.push({ object, durableShardCount });
      }
    }
  }
  return { durabilities, silentNodeIds };
}

/** Batches small enough that all reports about one batch's shards fit into memory. */
function* splitBatches<Each>(all: readonly Each[]): Generator<readonly Each[]> {
  for (let from = 0; from < all.length; from += BATCH_OBJECT_COUNT) {
    yield all.slice(from, from + BATCH_OBJECT_COUNT);
  }
}

async function shardsByKey(
  { nodes, access, ask }: MeasuredVault,
  bucket: string,
  keys: readonly string[],
  silentNodeIds: Set<string>,
): Promise<Map<string, ReportedShard[]>> {
  const shards = await askHeldShards({ nodes, bucket, keys, silentNodeIds, access, ...(ask && { ask }) });
  return Map.groupBy(shards, ({ key }) => key);
}

/**
 * Its upload differs in length from the object read, or its ETag shows that it came in parts: it is a list of pieces.
 */
function isInPieces({ etag, sizeBytes, isCompared }: ReadObject, shards: readonly ReportedShard[]): boolean {
  return !isCompared || shards.some((shard) => shard.etag === etag && shard.sizeBytes !== sizeBytes);
}

async function leastOfPieces(
  vault: MeasuredVault,
  { bucket, key, etag }: ObjectVersion,
  listCount: number,
  silentNodeIds: Set<string>,
): Promise<number | null> {
  const { coordinator, access, ask } = vault;
  const pieces = await askPieces({ coordinator, bucket, key, access, ...(ask && { ask }) });
  if (pieces?.etag !== etag) return null;
  let least = listCount;
  for (const keys of splitBatches(pieces.keys)) {
    const byKey = await shardsByKey(vault, pieces.bucket, keys, silentNodeIds);
    for (const pieceKey of keys) {
      const count = countDurable(byKey.get(pieceKey) ?? [], PIECE_ETAG);
      if (count === null) return null;
      least = Math.min(least, count);
    }
  }
  return least;
}

/**
 * Number of durable shards of the most durable upload with this ETag; of two uploads of the same bytes, the newer may
 * have been aborted. Null if there is no such upload, or a newer tombstone.
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
