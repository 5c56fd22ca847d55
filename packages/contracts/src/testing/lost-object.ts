import type { LostObject } from "../lost-object/lost-object.ts";

/** An object of which 4 of 20 shards can be read, and the others are damaged. */
export const testLostObject: LostObject = {
  readableCount: 4,
  neededCount: 16,
  shardCount: 20,
  damagedPods: [3, 7],
  unreadablePods: [],
  missingPods: [],
  silentPods: [],
  uploadId: "u",
  part: "object",
  bucket: "photos",
  key: "cat",
  pieceCount: 0,
  sizeBytes: 9,
  etag: "e",
  sinceMs: 1,
};
