/** How many shards of an object would be there after a power cut, from what all nodes say they hold. */
import type { VaultFile, VaultNode } from "@stashlight/agent/config";
import { z } from "zod";
import { askAdmin } from "../vault/admin.ts";

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

export interface HeldShard {
  readonly key: string;
  readonly uploadId: string;
  readonly kind: "object" | "tombstone";
  readonly order: string;
  readonly etag: string;
  readonly shardIndex: number;
  readonly isDurable: boolean;
}

const pageSchema: z.ZodType<{ shards: HeldShard[] }> = z.object({
  shards: z.array(
    z.object({
      key: z.string(),
      uploadId: z.string(),
      kind: z.enum(["object", "tombstone"]),
      order: z.string(),
      etag: z.string(),
      shardIndex: z.int(),
      isDurable: z.boolean(),
    }),
  ),
});

/** Of an address; Node's HTTP server takes 16 KiB of headers. */
const QUERY_LENGTH_MAX = 6000;

/** All of these objects are of one bucket. */
export async function measureDurability(
  { nodes }: VaultFile,
  objects: readonly ObjectVersion[],
): Promise<DurabilityReport> {
  const silentNodeIds = new Set<string>();
  const durabilities: Durability[] = [];
  for (const batch of batchesOf(objects)) {
    const query = queryOf(batch);
    const ask = (role: VaultNode["role"]) =>
      Promise.all(
        nodes.filter((node) => node.role === role).map((node) => askNode(node, query, silentNodeIds)),
      );
    // The stash first: what a pod makes durable in between it has purged there only afterwards.
    const shards = [...(await ask("stash")).flat(), ...(await ask("pod")).flat()];
    const byKey = Map.groupBy(shards, ({ key }) => key);
    for (const object of batch) {
      durabilities.push({
        object,
        durableShardCount: countDurable(byKey.get(object.key) ?? [], object.etag),
      });
    }
  }
  return { durabilities, silentNodeIds };
}

/**
 * Of the upload with this ETag that has most; of two with the same bytes the newer may be one that was given up. Null
 * when there is none, or a newer tombstone.
 */
export function countDurable(shards: readonly HeldShard[], etag: string): number | null {
  const ofBytes = shards.filter((shard) => shard.kind === "object" && shard.etag === etag);
  const isDeleted = shards.some(
    ({ kind, order }) => kind === "tombstone" && ofBytes.every((shard) => shard.order < order),
  );
  if (ofBytes.length === 0 || isDeleted) return null;
  const uploads = Map.groupBy(ofBytes, ({ uploadId }) => uploadId);
  return Math.max(...[...uploads.values()].map(countDurableShards));
}

function countDurableShards(shards: readonly HeldShard[]): number {
  return new Set(shards.filter(({ isDurable }) => isDurable).map(({ shardIndex }) => shardIndex)).size;
}

function queryOf(batch: readonly ObjectVersion[]): string {
  const query = new URLSearchParams({ bucket: batch[0]?.bucket ?? "" });
  for (const { key } of batch) query.append("key", key);
  return query.toString();
}

function* batchesOf(objects: readonly ObjectVersion[]): Generator<readonly ObjectVersion[]> {
  let batch: ObjectVersion[] = [];
  let length = 0;
  for (const object of objects) {
    const ownLength = encodeURIComponent(object.key).length + "&key=".length;
    if (batch.length > 0 && length + ownLength > QUERY_LENGTH_MAX) {
      yield batch;
      [batch, length] = [[], 0];
    }
    batch.push(object);
    length += ownLength;
  }
  if (batch.length > 0) yield batch;
}

async function askNode(
  node: VaultNode,
  query: string,
  silentNodeIds: Set<string>,
): Promise<readonly HeldShard[]> {
  const answer = await askAdmin(node, `/uploads?${query}`);
  const parsed = answer.type === "answered" ? pageSchema.safeParse(answer.body) : undefined;
  if (parsed?.success) return parsed.data.shards;
  silentNodeIds.add(node.id);
  return [];
}
