import { expect, test } from "vitest";
import {
  identityOf,
  loggedOf,
  purgeOf,
  send,
  servingStash,
  shardOf,
  snapshotOf,
  stashAppendOf,
  uploadOf,
  vaultOf,
  withRoom,
} from "../testing/index.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import { BoundedMap, createStash } from "./state.ts";
import { stepStash } from "./step.ts";

const shard = shardOf(uploadOf(7), 1);

test("a device answers and obeys nothing before its log is read, and then asks every pod for its identity", () => {
  const state = createStash<string>({ deviceId: 0, config: vaultOf() });
  const messages = [
    stashAppendOf(shard),
    purgeOf(1, [shard]),
    { type: "stash.pull", pod: identityOf(1), cursor: 0 },
  ] as const;
  for (const message of messages) {
    expect(stepStash(state, { type: "message", from: "p1", message }, 0)).toEqual([]);
  }
  expect(state.entries.size + state.pods.size + state.purgedEarly.size).toBe(0);
  expect(stepStash(state, { type: "recovered", shards: [loggedOf(shard)] }, 0)).toEqual([
    { type: "setTimer", key: "offer", delayMs: 10_000 },
    ...(["p0", "p1", "p2"] as const).map((to) => send(to, { type: "pod.announce", deviceId: 0 })),
  ]);
  expect(state.entries.get(shard.upload.uploadId)).toMatchObject([{ state: "durable", shardIndex: 1 }]);
});

test("a device ignores messages for a pod or a coordinator", () => {
  const stash = servingStash([loggedOf(shard)]);
  const before = snapshotOf(stash);
  expect(stash.hear("c0", { type: "pod.greet", floor: LOWEST_ORDER })).toEqual([]);
  expect(
    stash.hear("p1", { type: "coordinator.hello", pod: identityOf(1, 5), isSettled: true, ...withRoom }),
  ).toEqual([]);
  expect(snapshotOf(stash)).toEqual(before);
});

test("a bounded map forgets its oldest entries first", () => {
  const map = new BoundedMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.set("c", 4);
  expect([map.get("a"), map.get("b"), map.get("c"), map.size]).toEqual([3, undefined, 4, 2]);
  map.delete("a");
  expect(map.size).toBe(1);
});
