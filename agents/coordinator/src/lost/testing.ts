import type { LostObject, Shortage, UploadHeader } from "@stashlight/write-path";

const scheme = { dataShardCount: 16, parityShardCount: 4 };

export function testUpload(part: Partial<UploadHeader> = {}): UploadHeader {
  return {
    uploadId: "u",
    kind: "object",
    bucket: "photos",
    key: "cat",
    order: "1",
    epoch: 1,
    scheme,
    sizeBytes: 9,
    etag: "e",
    contentType: "",
    userMetadata: {},
    ...part,
  };
}

/** A shortage with 4 of 20 readable shards; the others are damaged. */
export function testShortage(upload: Partial<UploadHeader> = {}, part: Partial<Shortage> = {}): Shortage {
  return {
    upload: testUpload(upload),
    readableCount: 4,
    neededCount: 16,
    shardCount: 20,
    damagedPods: [3, 7],
    unreadablePods: [],
    missingPods: [],
    silentPods: [],
    ...part,
  };
}

export const testLost = (shortage: Shortage, sinceMs = 1, seenMs = sinceMs): LostObject => ({
  shortage,
  sinceMs,
  seenMs,
});
