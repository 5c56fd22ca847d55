/** A pod regains its missing shards at a bounded rate. */
import { describe, expect, test } from "vitest";
import { messagesOf, settledPod } from "../testing/machines.ts";
import { countTo, podAppendOf, shardOf, twoPlusOne, uploadOf, vaultOf } from "../testing/samples.ts";
import { missingShards, REBUILD_AFTER_MS } from "./rebuild.ts";

const timer = { type: "timer", key: "outcomes" } as const;
/** A shard of each is 1,000 bytes. */
const uploadsOf = (count: number) =>
  countTo(count).map((i) => uploadOf(i + 1, { key: `${i}`, sizeBytes: 2000 }));

function podThatLacks(count: number, rebuildBytesPerSecond: number) {
  const config = vaultOf(twoPlusOne, { rebuildBytesPerSecond });
  const pod = settledPod(0, [], [], uploadsOf(count), config);
  const askedAt = (nowMs: number) => {
    pod.nowMs = nowMs;
    return messagesOf(pod.take(timer), "coordinator.resolve").map(({ message }) => message.upload);
  };
  return { pod, askedAt };
}

test("a missing shard is counted until the pod holds it", () => {
  const { pod } = podThatLacks(3, 1000);
  expect(missingShards(pod.state)).toEqual({ shardCount: 3, bytes: 3000 });
  const [upload] = uploadsOf(1);
  if (upload === undefined) throw new Error("There is an upload.");
  pod.hear("c0", podAppendOf(shardOf(upload, 0), { purpose: "repair", isDurable: true }));
  expect(missingShards(pod.state)).toEqual({ shardCount: 2, bytes: 2000 });
});

describe("a pod asks for", () => {
  test("nothing while a missing shard may still arrive from its author", () => {
    expect(podThatLacks(3, 1_000_000).askedAt(REBUILD_AFTER_MS - 1)).toEqual([]);
  });

  test("as many bytes as its rate allows, no more after a pause, in the order in which it learned of them", () => {
    const { askedAt } = podThatLacks(30, 4000);
    const uploads = uploadsOf(30);
    expect(askedAt(REBUILD_AFTER_MS)).toEqual(uploads.slice(0, 4));
    expect(askedAt(REBUILD_AFTER_MS + 100)).toEqual(uploads.slice(4, 5));
    expect(askedAt(REBUILD_AFTER_MS + 600)).toEqual(uploads.slice(5, 7));
    expect(askedAt(REBUILD_AFTER_MS + 1100)).toEqual(uploads.slice(7, 9));
    expect(askedAt(REBUILD_AFTER_MS + 9000)).toHaveLength(4);
  });

  test("sixty-four shards at a time, until they arrive or a coordinator has abandoned them", () => {
    const { askedAt } = podThatLacks(100, 1_000_000);
    expect(askedAt(REBUILD_AFTER_MS)).toHaveLength(64);
    expect(askedAt(REBUILD_AFTER_MS + 1000)).toEqual([]);
    expect(askedAt(REBUILD_AFTER_MS + 8000).slice(0, 36)).toEqual(uploadsOf(100).slice(64));
  });

  test("a few at a time, so that shards in transit stay within an eighth of a second of its rate", () => {
    // Shards of 1 MB at 48 MB/s.
    const config = vaultOf(twoPlusOne, { rebuildBytesPerSecond: 48_000_000 });
    const uploads = countTo(40).map((i) => uploadOf(i + 1, { key: `${i}`, sizeBytes: 2_000_000 }));
    const pod = settledPod(0, [], [], uploads, config);
    const askedAt = (nowMs: number) => {
      pod.nowMs = nowMs;
      return messagesOf(pod.take(timer), "coordinator.resolve").map(({ message }) => message.upload);
    };
    expect(askedAt(REBUILD_AFTER_MS)).toEqual(uploads.slice(0, 6));
    expect(askedAt(REBUILD_AFTER_MS + 25)).toEqual([]);
    const [first] = uploads;
    if (first === undefined) throw new Error("There is an upload.");
    pod.hear("c0", podAppendOf(shardOf(first, 0), { purpose: "repair", isDurable: true }));
    expect(askedAt(REBUILD_AFTER_MS + 50)).toEqual(uploads.slice(6, 7));
  });

  test("missing shards without a pause between two checks, and checks all unresolved uploads each second", () => {
    const { pod, askedAt } = podThatLacks(30, 4000);
    askedAt(REBUILD_AFTER_MS);
    expect(pod.take(timer)).toContainEqual({ type: "setTimer", key: "outcomes", delayMs: 25 });
    expect(pod.state.nextLook).toEqual({ fromMs: REBUILD_AFTER_MS, afterMs: 1000 });
    askedAt(REBUILD_AFTER_MS + 999);
    expect(pod.state.nextLook?.fromMs).toBe(REBUILD_AFTER_MS);
    askedAt(REBUILD_AFTER_MS + 1000);
    expect(pod.state.nextLook?.fromMs).toBe(REBUILD_AFTER_MS + 1000);
    // A clock that jumped back does not postpone the check.
    askedAt(REBUILD_AFTER_MS + 500);
    expect(pod.state.nextLook?.fromMs).toBe(REBUILD_AFTER_MS + 500);
  });
});
