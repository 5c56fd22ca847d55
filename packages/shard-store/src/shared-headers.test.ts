import type { RecordHeader } from "@stashlight/shard-log";
import type { UploadHeader } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { recordOfShard, uploadOf } from "./records.ts";
import { SharedHeaders } from "./shared-headers.ts";

const header: UploadHeader = {
  uploadId: "00112233445566778899aabbccddeeff",
  kind: "object",
  bucket: "photos",
  key: "cat.jpg",
  order: "018f0000000000010000002a",
  scheme: { dataShardCount: 16, parityShardCount: 4 },
  sizeBytes: 99,
  etag: "5d41402abc4b2a76b9719d911017c592",
  contentType: "image/jpeg",
  userMetadata: { camera: "x100" },
  epoch: 1,
};
const ID = "eightchr";

function recordOf(upload: UploadHeader, shardIndex: number): RecordHeader {
  const record = recordOfShard({ upload, shardIndex, payload: new Uint8Array(4), payloadCrc: 0 });
  return { ...record, payloadBytes: 4, payloadCrc: 0, lsn: 1, generation: 1, offset: 0, volumeEpoch: 1 };
}

test("what two shards of an upload say of it is one header, and says what it said", () => {
  const shared = new SharedHeaders();
  const first = shared.uploadOf(`${ID}0`, recordOf(header, 0), uploadOf);
  expect(first).toEqual(header);
  expect(shared.uploadOf(`${ID}1`, recordOf(header, 1), uploadOf)).toBe(first);
});

test.each([
  ["kind", { kind: "tombstone" }],
  ["key", { key: "dog.jpg" }],
  ["order", { order: "018f0000000000010000002b" }],
  ["scheme", { scheme: { dataShardCount: 17, parityShardCount: 3 } }],
  ["epoch", { epoch: 2 }],
] as const)("records that do not agree about the %s are not taken for alike", (_name, changes) => {
  const shared = new SharedHeaders();
  shared.uploadOf(`${ID}0`, recordOf(header, 0), uploadOf);
  const other = { ...header, ...changes };
  expect(shared.uploadOf(`${ID}1`, recordOf(other, 1), uploadOf)).toEqual(other);
});
