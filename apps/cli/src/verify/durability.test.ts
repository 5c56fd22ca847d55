import type { VaultNode } from "@stashlight/node-runtime/config";
import type { AskAdmin, ReportedShard } from "@stashlight/node-runtime/durability";
import { expect, test } from "vitest";
import { countDurable, measureDurability } from "./durability.ts";

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
  ["a shard on its pod and on the stash counts once", [shard(0), shard(0), shard(1)], 2],
  ["a shard that is not synced does not count", [shard(0), shard(1, { isDurable: false })], 1],
  [
    "shards of an attempt with the same bytes are not mixed in",
    [shard(0), shard(1, { uploadId: "u0", order: "0" })],
    1,
  ],
  ["an older version is ignored", [shard(0), shard(1, { uploadId: "u0", order: "0", etag: "e0" })], 1],
  [
    "a newer tombstone means that it changed",
    [shard(0), shard(1, { kind: "tombstone", order: "2", etag: "" })],
    null,
  ],
  [
    "an older tombstone is ignored",
    [shard(0), shard(1, { uploadId: "u0", kind: "tombstone", order: "0", etag: "" })],
    1,
  ],
  [
    "a newer aborted attempt with the same bytes changes nothing",
    [shard(0), shard(1), shard(2, { uploadId: "u2", order: "2" })],
    2,
  ],
  ["no shard of these bytes means that it changed", [shard(0, { etag: "e2" })], null],
])("%s", (_, shards, count) => {
  expect(countDurable(shards, "e1")).toBe(count);
});

const nodes = [
  { role: "coordinator", id: "c" },
  { role: "pod", id: "p" },
  { role: "stash", id: "s" },
] as unknown as readonly VaultNode[];

const shards = (key: string, count: number, difference: Partial<ReportedShard>) =>
  Array.from({ length: count }, (_, index) => shard(index, { key, ...difference }));

/** A vault whose one pod holds these shards, by bucket, and whose coordinator reports these pieces. */
function fakeVault(held: Record<string, ReportedShard[]>, pieces: Record<string, object>) {
  const ask: AskAdmin = async (node, path) => {
    const query = new URLSearchParams(path.split("?")[1]);
    const { id } = node as VaultNode;
    if (id === "c") {
      const body = pieces[query.get("key") as string];
      return body ? { type: "answered", status: 200, body } : { type: "silent", reason: "ECONNREFUSED" };
    }
    const ofBucket = id === "p" ? (held[query.get("bucket") as string] ?? []) : [];
    const asked = query.getAll("key");
    return {
      type: "answered",
      status: 200,
      body: { shards: ofBucket.filter(({ key }) => asked.includes(key)) },
    };
  };
  const access = { token: "sla_test", ca: null };
  return { nodes, coordinator: nodes[0] as VaultNode, access, ask };
}

/** Measures an object of 1000 bytes, uploaded whole or in parts, whose own upload has `listBytes` and four shards. */
const measure = async (
  etag: string,
  listBytes: number,
  pieceShards: ReportedShard[],
  page: object | undefined,
) => {
  const held = { b: shards("k", 4, { etag, sizeBytes: listBytes }), ".pieces": pieceShards };
  const vault = fakeVault(held, page === undefined ? {} : { k: page });
  const isCompared = !etag.includes("-");
  const object = { bucket: "b", key: "k", etag, sizeBytes: 1000, isCompared };
  const { durabilities, silentNodeIds } = await measureDurability(vault, [object]);
  expect(silentNodeIds.size).toBe(0);
  return durabilities[0]?.durableShardCount;
};

const piece = (key: string, count: number) => shards(key, count, { etag: "" });
const page = (etag: string, ...keys: string[]) => ({ etag, bucket: ".pieces", keys });

test.each<[string, Parameters<typeof measure>, number | null]>([
  [
    "of one upload is as durable as the upload, and its pieces are not requested",
    ["e", 1000, [], undefined],
    4,
  ],
  [
    "is as durable as its least durable piece",
    ["e", 90, [...piece("x", 3), ...piece("y", 2)], page("e", "x", "y")],
    2,
  ],
  ["is no more durable than its list of pieces", ["e", 90, piece("x", 5), page("e", "x")], 4],
  [
    "uploaded in parts counts as in pieces, even if it is short",
    ["e-2", 1000, piece("x", 3), page("e-2", "x")],
    3,
  ],
  ["that was overwritten meanwhile is not measured", ["e", 90, piece("x", 3), page("f")], null],
  ["with a missing piece is not measured", ["e", 90, piece("x", 3), page("e", "x", "y")], null],
  ["whose pieces no coordinator lists is not measured", ["e", 90, piece("x", 3), undefined], null],
])("measures an object %s", async (_, given, count) => {
  expect(await measure(...given)).toBe(count);
});
