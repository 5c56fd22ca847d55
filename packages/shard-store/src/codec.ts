/** Byte operations of a coordinator's shell, with the real erasure code and the real checksum. */
import assert from "node:assert/strict";
import { crc32c } from "@stashlight/checksum";
import { createErasure, type Erasure, joinBody, partsOfBody, splitBody } from "@stashlight/erasure";
import type { Scheme, Shard } from "@stashlight/write-path";

/** One per process: only its copying functions are used, which keep no state between calls. */
let shared: Erasure | null = null;
const erasure = (): Erasure => {
  shared ??= createErasure({ arenaBytes: 1 });
  return shared;
};

/** Encodes a body as n shards, data first. Data shards are views of the body, except the one in which it ends. */
export function encodeBody(body: Uint8Array, scheme: Scheme): Uint8Array[] {
  const data = splitBody(scheme, body);
  return [...data, ...erasure().encode(scheme, data)];
}

/**
 * Decodes the body from k shards of one upload, in any order. With shards of several uploads, or too few, it returns no
 * bytes, so the caller must compare the result with the stored checksum.
 */
export function decodeBody(shards: readonly Shard[]): Uint8Array {
  const data = decodeData(shards);
  return data === null ? new Uint8Array(0) : joinBody(data.shards, data.sizeBytes);
}

/** Decodes the body as consecutive parts, which are views of the existing data shards. */
export function decodeParts(shards: readonly Shard[]): Uint8Array[] {
  const data = decodeData(shards);
  return data === null ? [] : partsOfBody(data.shards, data.sizeBytes);
}

function decodeData(shards: readonly Shard[]): { shards: readonly Uint8Array[]; sizeBytes: number } | null {
  const [first] = shards;
  if (first === undefined || !areOfOneUpload(shards)) return null;
  const { scheme, sizeBytes } = first.upload;
  const all = arrange(shards, scheme);
  const present = all.filter((payload) => payload !== null);
  if (present.length < scheme.dataShardCount) return null;
  const data = all.slice(0, scheme.dataShardCount).filter((payload) => payload !== null);
  const isWhole = data.length === scheme.dataShardCount;
  return { shards: isWhole ? data : erasure().reconstructData(scheme, all), sizeBytes };
}

/** Reconstructs the missing shards from k others of the same upload. */
export function rebuildShards(shards: readonly Shard[], missing: readonly number[]): Shard[] {
  const [first] = shards;
  assert(first !== undefined && areOfOneUpload(shards), "Shards are rebuilt from shards of one upload.");
  const { upload } = first;
  const all = erasure().reconstruct(upload.scheme, arrange(shards, upload.scheme));
  return missing.map((shardIndex) => {
    const payload = all[shardIndex] as Uint8Array;
    return { upload, shardIndex, payload, payloadCrc: checksum(payload) };
  });
}

export function checksum(bytes: Uint8Array): number {
  return crc32c(bytes);
}

function areOfOneUpload(shards: readonly Shard[]): boolean {
  const [first] = shards;
  return shards.every(
    ({ upload, payload }) =>
      upload.uploadId === first?.upload.uploadId && payload.length === first.payload.length,
  );
}

/** Returns all n places, null for missing shards. */
function arrange(
  shards: readonly Shard[],
  { dataShardCount, parityShardCount }: Scheme,
): (Uint8Array | null)[] {
  const all = new Array<Uint8Array | null>(dataShardCount + parityShardCount).fill(null);
  for (const { shardIndex, payload } of shards) all[shardIndex] = payload;
  return all;
}
