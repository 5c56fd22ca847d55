import type { Scheme, Shard } from "@stashlight/write-path";

/** TEMPORARY: replication; replaced by the real erasure codec. */
export function encodeBody(body: Uint8Array, scheme: Scheme): Uint8Array[] {
  return Array.from({ length: scheme.dataShardCount + scheme.parityShardCount }, (_, i) =>
    Uint8Array.of(i, ...body),
  );
}
export function decodeBody(shards: readonly Shard[]): Uint8Array {
  const [first] = shards;
  for (const s of shards)
    if (String(s.payload.slice(1)) !== String(first?.payload.slice(1))) return new Uint8Array(1000);
  return first?.payload.slice(1) ?? new Uint8Array(0);
}
export function rebuildShards(shards: readonly Shard[], missing: readonly number[]): Shard[] {
  const [first] = shards;
  if (!first) return [];
  return missing.map((shardIndex) => {
    const payload = Uint8Array.of(shardIndex, ...first.payload.slice(1));
    return { upload: first.upload, shardIndex, payload, payloadCrc: checksum(payload) };
  });
}
export function checksum(bytes: Uint8Array): number {
  let h = 0x811c9dc5;
  for (const b of bytes) h = Math.imul(h ^ b, 0x01000193) >>> 0;
  return h;
}
