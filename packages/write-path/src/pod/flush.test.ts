import { describe, expect, test } from "vitest";
import {
  appended,
  expectRefusal,
  killed,
  loggedOf,
  messagesOf,
  type PodMachine,
  placeOf,
  podAppendOf,
  purgeOf,
  send,
  settledPod,
  shardOf,
  startedPod,
  uploadOf,
} from "../testing/index.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import { purgeSoon } from "./flush.ts";

const flushTimer = { type: "timer", key: "flush" } as const;
const purgeTimer = { type: "timer", key: "purge" } as const;
const setPurgeTimer = { type: "setTimer", key: "purge", delayMs: 100 };

const shardNumbered = (number: number) => shardOf(uploadOf(number, { key: `key-${number}` }), 0);

function write(pod: PodMachine, number: number, stashDeviceId: number | null, isDurable = false) {
  pod.hear("c0", podAppendOf(shardNumbered(number), { stashDeviceId, isDurable }));
  return pod.take(appended(shardNumbered(number)));
}

test("one fdatasync covers all earlier writes, and purges go out together, one message per device", () => {
  const pod = settledPod();
  write(pod, 1, 0);
  write(pod, 2, 1);
  expect(write(pod, 3, 0)).toHaveLength(1);
  expect(pod.take(flushTimer)).toEqual([{ type: "flush" }]);
  expect(pod.take({ type: "flushed" })).toEqual([setPurgeTimer]);
  expect(pod.take(purgeTimer)).toEqual([
    send("s0", purgeOf(0, [shardNumbered(1), shardNumbered(3)])),
    send("s1", purgeOf(0, [shardNumbered(2)])),
  ]);
  expect(pod.take(purgeTimer)).toEqual([]);
});

test("nothing is purged before its fdatasync has returned", () => {
  const pod = settledPod();
  write(pod, 1, 0);
  expect(pod.take(purgeTimer)).toEqual([]);
  pod.take(flushTimer);
  expect(pod.take(purgeTimer)).toEqual([]);
  const entry = pod.state.entries.get(uploadOf(1).uploadId);
  expect(() => entry && purgeSoon(pod.state, entry, 0)).toThrow("would lose it");
});

test("a flush does not cover data written while it runs", () => {
  const pod = settledPod();
  write(pod, 1, 0);
  pod.take(flushTimer);
  write(pod, 2, 0);
  expect(pod.take({ type: "flushed" })).toEqual([setPurgeTimer]);
  expect(pod.take(purgeTimer)).toEqual([send("s0", purgeOf(0, [shardNumbered(1)]))]);
  expect(pod.state.entries.get(uploadOf(2).uploadId)?.state).toBe("written");
});

test("a request for durability during a flush gets the next one, which follows at once", () => {
  const pod = settledPod();
  write(pod, 1, null);
  pod.take(flushTimer);
  expect(write(pod, 2, null, true)).toEqual([]);
  expect(pod.take({ type: "flushed" })).toEqual([{ type: "flush" }]);
  expect(pod.take({ type: "flushed" })).toMatchObject([
    { to: "c0", message: { uploadId: uploadOf(2).uploadId, result: "durable" } },
  ]);
});

test("an empty flush is not requested, and the end of a flush that never began throws", () => {
  const pod = settledPod();
  expect(pod.take(flushTimer)).toEqual([]);
  expect(() => pod.take({ type: "flushed" })).toThrow("never began");
});

test("a failed fdatasync ends the boot: waiting nodes never receive `durable`, and no purge goes out", () => {
  const pod = settledPod();
  write(pod, 1, 0);
  pod.take(flushTimer);
  pod.take({ type: "flushed" });
  write(pod, 2, 0, true);
  expect(pod.take({ type: "flushFailed" })).toMatchObject([{ type: "halt" }]);
  expect(pod.state.lifecycle).toBe("halted");
  for (const event of [
    purgeTimer,
    flushTimer,
    { type: "flushed" },
    { type: "timer", key: "settle" },
  ] as const) {
    expect(pod.take(event)).toEqual([]);
  }
  expect(pod.hear("c0", podAppendOf(shardNumbered(3)))).toEqual([]);
  expect(pod.hear("c0", { type: "pod.confirm", uploadId: uploadOf(2).uploadId, bootId: 1 })).toEqual([]);
});

test("the next boot refuses an append for an earlier boot", () => {
  const pod = startedPod(0, [loggedOf(shardNumbered(1))]);
  const nextBoot = { podIndex: 0, driveId: "drive-0", bootId: 2 };
  pod.take({ type: "recovered", identity: nextBoot, shards: [], refusals: [], horizon: LOWEST_ORDER });
  expectRefusal(pod, "rebooted", () => pod.hear("c0", podAppendOf(shardNumbered(1), { bootId: 1 })));
});

test("a shard discarded while its flush ran is not purged", () => {
  const pod = settledPod();
  write(pod, 1, 0);
  pod.take(flushTimer);
  const { upload } = shardNumbered(1);
  const proof = { type: "refused", by: [1, 2] } as const;
  expect(pod.hear("c0", { type: "pod.discard", upload, proof })).toContainEqual(killed(shardNumbered(1)));
  expect(pod.take({ type: "flushed" })).toEqual([]);
});

describe("versions below a committed durable version", () => {
  const [older, newer] = [uploadOf(1), uploadOf(2)] as const;
  const note = { type: "pod.note", uploadId: newer.uploadId, outcome: "committed" } as const;
  const remembered = {
    type: "remember",
    position: placeOf(shardOf(newer, 0)),
    outcome: "committed",
  } as const;

  test("are dropped once the later one is reported committed", () => {
    const pod = settledPod(
      0,
      [older, newer].map((upload) => loggedOf(shardOf(upload, 0))),
    );
    expect(pod.hear("c0", note)).toEqual([remembered, killed(shardOf(older, 0))]);
    expect([...pod.state.entries.keys()]).toEqual([newer.uploadId]);
  });

  test("stay while the later one is in the page cache only", () => {
    const pod = settledPod(0, [loggedOf(shardOf(older, 0))]);
    pod.hear("c0", podAppendOf(shardOf(newer, 0)));
    pod.take(appended(shardOf(newer, 0)));
    expect(pod.hear("c0", note)).toEqual([remembered]);
    pod.take(flushTimer);
    expect(pod.take({ type: "flushed" })).toEqual([killed(shardOf(older, 0))]);
  });

  test("stay while they are not durable themselves: the stash has not been asked to purge them", () => {
    const pod = settledPod();
    pod.hear("c0", podAppendOf(shardOf(older, 0), { stashDeviceId: 2 }));
    pod.hear("c0", podAppendOf(shardOf(newer, 0)));
    pod.take(appended(shardOf(older, 0)));
    pod.take(appended(shardOf(newer, 0)));
    expect(pod.hear("c0", note)).toEqual([remembered]);
    pod.take(flushTimer);
    expect(pod.take({ type: "flushed" })).toEqual([setPurgeTimer, killed(shardOf(older, 0))]);
    expect(messagesOf(pod.take(purgeTimer), "stash.purge").map(({ to }) => to)).toEqual(["s2"]);
  });

  test("are hidden by a tombstone, which remains as the highest version", () => {
    const tombstone = uploadOf(3, { kind: "tombstone" });
    const pod = settledPod(
      0,
      [older, tombstone].map((upload) => loggedOf(shardOf(upload, 0))),
    );
    pod.hear("c0", { type: "pod.note", uploadId: tombstone.uploadId, outcome: "committed" });
    const found = pod.hear("c0", {
      type: "pod.find",
      requestId: 1,
      bucket: "photos",
      key: "cat",
      isEager: false,
    });
    expect(messagesOf(found, "coordinator.found")[0]?.message.versions).toEqual([
      { upload: tombstone, holds: "durable", isCommitted: true },
    ]);
  });
});
