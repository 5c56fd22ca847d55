/** Locates an object's shards in one vault by asking all its nodes. */
import {
  type LocatedShard,
  locatedPiecesMax,
  type ObjectLocation,
  type ObjectName,
  objectQuestionOpenMs,
} from "@stashlight/contracts/object-location";
import { nodeAddresses, type VaultFile } from "@stashlight/node-runtime/config";
import {
  type AdminAccess,
  type AskAdmin,
  askHeldShards,
  countDurableShards,
  type ReportedShard,
} from "@stashlight/node-runtime/durability";
import { LARGE_SIZE } from "@stashlight/node-runtime/objects";
import { piecesOf } from "../store/pieces-page.ts";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";

export interface LocateOptions {
  readonly file: () => VaultFile;
  /** Covers this vault only, even if there are others behind its endpoint. */
  readonly vault: Pick<VaultVerbs, "head" | "get">;
  readonly access: AdminAccess;
  /** Uses HTTP by default. */
  readonly ask?: AskAdmin;
}

const CHANGED = "The object was changed while its shards were being located. Try again.";

/** Never rejects. */
export async function locateObject(options: LocateOptions, object: ObjectName): Promise<ObjectLocation> {
  try {
    return await locate(options, object);
  } catch (error) {
    const reason =
      error instanceof VaultError ? error.message : "The coordinator could not locate the object.";
    return { type: "unknown", reason };
  }
}

async function locate(
  { file, vault, access, ask }: LocateOptions,
  { bucket, key }: ObjectName,
): Promise<ObjectLocation> {
  const upload = await vault.head(bucket, key);
  if (upload === null) return { type: "absent" };
  const silentNodeIds = new Set<string>();
  const signal = AbortSignal.timeout(objectQuestionOpenMs / 2);
  const held = (of: string, keys: readonly string[]) =>
    askHeldShards({
      nodes: file().nodes,
      bucket: of,
      keys,
      silentNodeIds,
      access,
      signal,
      ...(ask && { ask }),
    });
  const own = (await held(bucket, [key])).filter(({ uploadId }) => uploadId === upload.uploadId);
  const pieces = await piecesOf(vault, bucket, key);
  if (pieces.etag !== upload.etag) return { type: "unknown", reason: CHANGED };
  const asked = pieces.keys.slice(0, locatedPiecesMax);
  const byKey = Map.groupBy(await held(pieces.bucket, asked), (shard) => shard.key);
  const parts = [own, ...asked.map((pieceKey) => fullestUpload(byKey.get(pieceKey) ?? []))];
  const counts = parts.map(countDurableShards);
  const durableShardCount = Math.min(...counts);
  const weakest = counts.indexOf(durableShardCount);
  const { dataShardCount, parityShardCount } = upload.scheme;
  return {
    type: "found",
    sizeBytes: Number(upload.userMetadata[LARGE_SIZE] ?? upload.sizeBytes),
    dataShardCount,
    shardCount: dataShardCount + parityShardCount,
    durableShardCount,
    pieces:
      pieces.keys.length === 0
        ? null
        : {
            count: pieces.keys.length,
            askedCount: asked.length,
            weakest: weakest === 0 ? null : weakest - 1,
          },
    shards: locatedIn(file(), parts[weakest] ?? []),
    silentNodes: [...silentNodeIds].map((id) => `${file().name}.${id}`),
  };
}

/** Returns the shards of the upload with the most durable shards; a piece may have been sent twice. */
function fullestUpload(shards: readonly ReportedShard[]): readonly ReportedShard[] {
  const uploads = [...Map.groupBy(shards, ({ uploadId }) => uploadId).values()];
  return uploads.sort((a, b) => countDurableShards(b) - countDurableShards(a))[0] ?? [];
}

/** Shards with node and drive names as in the console, in order. */
function locatedIn(file: VaultFile, shards: readonly ReportedShard[]): LocatedShard[] {
  const holders = new Map<string, VaultFile["nodes"][number]>(
    file.nodes.flatMap((node) => nodeAddresses(file, node).map((address) => [address, node] as const)),
  );
  return shards
    .flatMap(({ address, shardIndex, isDurable }) => {
      const node = holders.get(address);
      if (node === undefined || node.role === "coordinator") return [];
      return {
        index: shardIndex,
        tier: node.role,
        node: `${file.name}.${node.id}`,
        device: address,
        isDurable,
      };
    })
    .sort((a, b) => a.index - b.index || a.tier.localeCompare(b.tier));
}
