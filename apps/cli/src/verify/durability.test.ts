import type { ReportedShard } from "@stashlight/agent/durability";
import { expect, test } from "vitest";
import { countDurable } from "./durability.ts";

const shard = (shardIndex: number, difference: Partial<ReportedShard> = {}): ReportedShard => ({
  address: "p0",
  key: "k",
  uploadId: "u1",
  kind: "object",
  order: "1",
  etag: "e1",
  sizeBytes: 1,
  shardIndex,
  isDurable: true,
  ...difference,
});

test.each<[string, ReportedShard[], number | null]>([
  ["different durable shards count", [shard(0), shard(1), shard(2)], 3],
  ["one on its pod and on the stash counts once", [shard(0), shard(0), shard(1)], 2],
  ["one that is not synced does not count", [shard(0), shard(1, { isDurable: false })], 1],
  [
    "shards of an attempt with the same bytes are not mixed in",
    [shard(0), shard(1, { uploadId: "u0", order: "0" })],
    1,
  ],
  ["an older version is not looked at", [shard(0), shard(1, { uploadId: "u0", order: "0", etag: "e0" })], 1],
  [
    "a newer tombstone means that it changed",
    [shard(0), shard(1, { kind: "tombstone", order: "2", etag: "" })],
    null,
  ],
  [
    "an older tombstone means nothing",
    [shard(0), shard(1, { uploadId: "u0", kind: "tombstone", order: "0", etag: "" })],
    1,
  ],
  [
    "a newer attempt with the same bytes that was given up takes nothing away",
    [shard(0), shard(1), shard(2, { uploadId: "u2", order: "2" })],
    2,
  ],
  ["no shard of these bytes means that it changed", [shard(0, { etag: "e2" })], null],
])("%s", (_, shards, count) => {
  expect(countDurable(shards, "e1")).toBe(count);
});
