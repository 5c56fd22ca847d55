import type { RecoveredRecord } from "@stashlight/shard-log";
import { crc32c, MemoryDisk, openedLog } from "@stashlight/shard-log/testing";
import type { UploadHeader } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { recordOfShard, toUploadHeader } from "./records.ts";
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
/** Returns the headers of these shards' records, read back from a log. */
function recovered(
  shards: readonly { upload: UploadHeader; shardIndex: number }[],
): readonly RecoveredRecord[] {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, {}, true);
  for (const shard of shards) {
    const payload = Uint8Array.of(shard.shardIndex);
    log.append(recordOfShard({ ...shard, payload, payloadCrc: crc32c(payload) }), () => {});
    disk.run();
  }
  return [...openedLog(disk.processCrash()).records];
}

test("two shards of an upload share one header with the original fields", () => {
  const shared = new SharedHeaders();
  const shards = [0, 1].map((shardIndex) => ({ upload: header, shardIndex }));
  const [first, second] = recovered(shards).map((record) => shared.uploadOf(record, toUploadHeader));
  expect(first).toEqual(header);
  expect(second).toBe(first);
});

test.each([
  ["kind", { kind: "tombstone" }],
  ["key", { key: "dog.jpg" }],
  ["order", { order: "018f0000000000010000002b" }],
  ["scheme", { scheme: { dataShardCount: 17, parityShardCount: 3 } }],
  ["epoch", { epoch: 2 }],
] as const)("records that differ in the %s do not share a header", (_name, changes) => {
  const shared = new SharedHeaders();
  const uploads = [header, { ...header, ...changes }];
  const records = recovered(uploads.map((upload, shardIndex) => ({ upload, shardIndex })));
  expect(records.map((record) => shared.uploadOf(record, toUploadHeader))).toEqual(uploads);
});
