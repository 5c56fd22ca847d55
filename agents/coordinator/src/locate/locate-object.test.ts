import type { VaultFile } from "@stashlight/node-runtime/config";
import type { AskAdmin, ReportedShard } from "@stashlight/node-runtime/durability";
import { expect, test } from "vitest";
import { VaultError } from "../vault/errors.ts";
import { type LocateOptions, locateObject } from "./locate-object.ts";

const file = {
  name: "main",
  nodes: [
    { role: "coordinator", id: "c-1" },
    { role: "pod", id: "pod-1", drives: [{ pod: 0 }, { pod: 1 }] },
    { role: "stash", id: "stash-1", drives: [{ device: 0 }] },
  ],
} as unknown as VaultFile;
const object = { bucket: "photos", key: "cat" };
const shard = (part: Partial<ReportedShard>): ReportedShard => ({
  address: "p0",
  key: "cat",
  uploadId: "newest",
  kind: "object",
  order: "2",
  etag: "e",
  sizeBytes: 9,
  shardIndex: 0,
  isDurable: true,
  ...part,
});

type Head = NonNullable<Awaited<ReturnType<LocateOptions["vault"]["head"]>>>;
const header = {
  uploadId: "newest",
  etag: "e",
  sizeBytes: 9,
  userMetadata: {},
  scheme: { dataShardCount: 2, parityShardCount: 1 },
} as unknown as Head;

const locate = (
  answers: Readonly<Record<string, readonly ReportedShard[] | null>>,
  head: LocateOptions["vault"]["head"] = async () => header,
) => {
  const ask: AskAdmin = async ({ id }) => {
    const shards = answers[id] ?? null;
    return shards === null
      ? { type: "silent", reason: "ECONNREFUSED" }
      : { type: "answered", status: 200, body: { shards } };
  };
  const vault = { head, get: async () => null };
  return locateObject({ file: () => file, vault, access: { token: "t", ca: null }, ask }, object);
};

test("the shards of the newest upload are listed with node, drive and durability", async () => {
  const found = await locate({
    "pod-1": [
      shard({ address: "p1", shardIndex: 1, isDurable: false }),
      shard({}),
      shard({ uploadId: "older", shardIndex: 2 }),
    ],
    "stash-1": [shard({ address: "s0", shardIndex: 1 })],
  });
  expect(found).toEqual({
    type: "found",
    sizeBytes: 9,
    dataShardCount: 2,
    shardCount: 3,
    durableShardCount: 2,
    pieces: null,
    silentNodes: [],
    shards: [
      { index: 0, tier: "pod", node: "main.pod-1", device: "p0", isDurable: true },
      { index: 1, tier: "pod", node: "main.pod-1", device: "p1", isDurable: false },
      { index: 1, tier: "stash", node: "main.stash-1", device: "s0", isDurable: true },
    ],
  });
});

test("a node that does not answer is named, and its shards count as not durable", async () => {
  const found = await locate({ "pod-1": [shard({})], "stash-1": null });
  expect(found).toMatchObject({ durableShardCount: 1, silentNodes: ["main.stash-1"] });
});

test("a missing object is reported as absent, and an unreadable vault with the reason", async () => {
  expect(await locate({}, async () => null)).toEqual({ type: "absent" });
  const away = () => Promise.reject(new VaultError("unavailable"));
  expect(await locate({}, away)).toEqual({ type: "unknown", reason: new VaultError("unavailable").message });
});

test("an object that changes during the search is reported as unknown", async () => {
  const heads = [header, { ...header, etag: "another" }];
  const found = await locate({ "pod-1": [], "stash-1": [] }, async () => heads.shift() ?? null);
  expect(found).toMatchObject({ type: "unknown", reason: expect.stringContaining("was changed") });
});
