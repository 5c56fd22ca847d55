import type { FoundObject, LocatedShard } from "@stashlight/contracts/object-location";
import { expect, test } from "vitest";
import { describeDurability, partListed, shardsOfObject } from "./shards.ts";

const copy = (part: Partial<LocatedShard>): LocatedShard => ({
  index: 0,
  tier: "pod",
  node: "main.pod-1",
  device: "p0",
  isDurable: true,
  ...part,
});
const found = (part: Partial<FoundObject>): FoundObject => ({
  type: "found",
  sizeBytes: 9,
  dataShardCount: 2,
  shardCount: 3,
  durableShardCount: 3,
  pieces: null,
  shards: [],
  silentNodes: [],
  ...part,
});

test("a shard is durable by any of its copies, and a missing one is listed too", () => {
  const shards = [
    copy({ index: 0, isDurable: false }),
    copy({ index: 0, tier: "stash", device: "s0" }),
    copy({ index: 2, isDurable: false }),
  ];
  const states = shardsOfObject(found({ shards })).map(({ state, copies }) => [state, copies.length]);
  expect(states).toEqual([
    ["durable", 2],
    ["not found", 0],
    ["not durable", 1],
  ]);
});

test.each([
  [3, "good"],
  [2, "good"],
  [1, "bad"],
])("an object of 2+1 with %d durable shards has the status %s", (durableShardCount, expected) => {
  expect(describeDurability(found({ durableShardCount }))).toBe(expected);
});

test("the status is a warning between the counts that restore and that acknowledge an object", () => {
  expect(describeDurability(found({ dataShardCount: 4, shardCount: 8, durableShardCount: 5 }))).toBe(
    "warning",
  );
});

test("for an object in pieces, the answer states how many pieces were requested and which one is listed", () => {
  expect(partListed(found({}))).toBeNull();
  expect(partListed(found({ pieces: { count: 3, askedCount: 3, weakest: 1 } }))).toContain(
    "Below is piece 2",
  );
  const cut = partListed(found({ pieces: { count: 500, askedCount: 200, weakest: null } }));
  expect(cut).toContain("the first 200 of 500 were requested");
  expect(cut).toContain("the list of its pieces");
});
