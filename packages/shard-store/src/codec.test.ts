import { formatOrder, type Scheme, type Shard, schemes, type UploadHeader } from "@stashlight/write-path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checksum, decodeBody, decodeParts, encodeBody, rebuildShards } from "./codec.ts";

const small: Scheme = { dataShardCount: 2, parityShardCount: 1 };

function upload(uploadId: string, scheme: Scheme, sizeBytes: number): UploadHeader {
  return {
    uploadId,
    kind: "object",
    bucket: "vault",
    key: "key",
    order: formatOrder(1, 0, 0),
    scheme,
    sizeBytes,
    etag: "etag",
    contentType: "text/plain",
    userMetadata: {},
    epoch: 1,
  };
}

function store(uploadId: string, scheme: Scheme, body: Uint8Array): Shard[] {
  const header = upload(uploadId, scheme, body.length);
  return encodeBody(body, scheme).map((payload, shardIndex) => {
    return { upload: header, shardIndex, payload, payloadCrc: checksum(payload) };
  });
}

const makeBody = (sizeBytes: number): Uint8Array =>
  Uint8Array.from({ length: sizeBytes }, (_, i) => i * 7 + 3);

test("any k shards in any order decode to exactly the body, even an empty one", () => {
  for (const scheme of [small, { dataShardCount: 4, parityShardCount: 2 }, ...Object.values(schemes)]) {
    for (const sizeBytes of [0, 1, scheme.dataShardCount, scheme.dataShardCount + 1, 399, 400]) {
      const body = makeBody(sizeBytes);
      const shards = store("a", scheme, body);
      const k = { minLength: scheme.dataShardCount, maxLength: scheme.dataShardCount };
      for (const some of fc.sample(fc.shuffledSubarray(shards, k), { numRuns: 20, seed: 7 })) {
        expect(decodeBody(some)).toEqual(body);
        expect(Uint8Array.from(Buffer.concat(decodeParts(some)))).toEqual(body);
        const missing = shards.filter((shard) => !some.includes(shard)).map(({ shardIndex }) => shardIndex);
        expect(rebuildShards(some, missing)).toEqual(missing.map((index) => shards[index]));
      }
    }
  }
});

test("shards of two uploads, or too few of one, cannot be decoded", () => {
  const [first] = store("a", small, makeBody(100));
  const [, second] = store("b", small, makeBody(100));
  expect(decodeBody([first as Shard, second as Shard])).toHaveLength(0);
  expect(decodeBody([first as Shard])).toHaveLength(0);
  expect(decodeBody([first as Shard, first as Shard])).toHaveLength(0);
  expect(decodeBody([])).toHaveLength(0);
  expect(decodeParts([first as Shard, second as Shard])).toHaveLength(0);
  expect(() => rebuildShards([first as Shard, second as Shard], [2])).toThrow(/one upload/);
});

test("bytes of another upload under this upload's name decode to another body", () => {
  const [first, second] = store("a", small, makeBody(100)) as [Shard, Shard];
  const stolen = { ...second, payload: makeBody(50).map((byte) => byte ^ 1) };
  expect(decodeBody([first, stolen])).toHaveLength(100);
  expect(decodeBody([first, stolen])).not.toEqual(makeBody(100));
});

test("the checksum of a shard is CRC32C", () => {
  expect(checksum(new TextEncoder().encode("123456789"))).toBe(0xe3069283);
  expect(checksum(new Uint8Array(0))).toBe(0);
});
