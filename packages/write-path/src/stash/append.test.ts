import { describe, expect, test } from "vitest";
import {
  appended,
  appendFailed,
  expectRefusal,
  killed,
  type StashMachine,
  send,
  servingStash,
  shardOf,
  startedStash,
  stashAppendOf,
  uploadOf,
  withOtherBytes,
} from "../testing/index.ts";

const shard = shardOf(uploadOf(7), 1);

const answer = (result: "durable" | "full" | "rebooted" | "failed", podBootId = 1) => {
  const { uploadId } = shard.upload;
  const type = "coordinator.stashAppended";
  return { type, uploadId, shardIndex: 1, deviceId: 0, result, podBootId } as const;
};

test("a shard is reported durable once its group commit has ended, not before", () => {
  const stash = servingStash();
  expect(stash.hear("c0", stashAppendOf(shard))).toEqual([{ type: "append", shard, room: "data" }]);
  expect(stash.take(appended(shard))).toEqual([send("c0", answer("durable"))]);
});

test("a repeated request writes nothing, and each requester is answered once when the one record is durable", () => {
  const stash = servingStash();
  stash.hear("c0", stashAppendOf(shard));
  expect(stash.hear("c0", stashAppendOf(shard))).toEqual([]);
  expect(stash.hear("c1", stashAppendOf(shard))).toEqual([]);
  expect(stash.take(appended(shard))).toEqual([send("c0", answer("durable")), send("c1", answer("durable"))]);
  expect(stash.hear("c2", stashAppendOf(shard))).toEqual([send("c2", answer("durable"))]);
});

describe("a refused append is counted, answered, and changes nothing", () => {
  const announce = send("p1", { type: "pod.announce", deviceId: 0 });
  const deadUpload = {
    type: "stash.discard",
    upload: shard.upload,
    proof: { type: "refused", by: [0, 2] },
  } as const;
  const rows: [string, () => StashMachine, ReturnType<typeof stashAppendOf>, unknown[]][] = [
    [
      "append before its pod announced itself",
      () => startedStash(),
      stashAppendOf(shard),
      [send("c0", answer("failed", 0)), announce],
    ],
    [
      "append before its pod announced itself",
      () => servingStash(),
      stashAppendOf({ ...shard, shardIndex: 3 }),
      [
        send("c0", { ...answer("failed", 0), shardIndex: 3 }),
        send("p3", { type: "pod.announce", deviceId: 0 }),
      ],
    ],
    [
      "append for an earlier boot",
      () => servingStash(),
      stashAppendOf(shard, 0),
      [send("c0", answer("rebooted"))],
    ],
    [
      "append of other bytes",
      () => having((stash) => stash.hear("c0", stashAppendOf(shard))),
      stashAppendOf(withOtherBytes(shard)),
      [send("c0", answer("failed"))],
    ],
    [
      "append of a dead upload",
      () => having((stash) => stash.hear("c0", deadUpload)),
      stashAppendOf(shard),
      [send("c0", answer("failed"))],
    ],
    [
      "append while full",
      () => having((stash) => stash.take({ type: "occupancy", isFull: true })),
      stashAppendOf(shard),
      [send("c0", answer("full"))],
    ],
    ["append while poisoned", poisonedStash, stashAppendOf(shard), [send("c0", answer("failed"))]],
  ];
  test.each(rows)("for the reason %s", (reason, given, message, answers) => {
    const stash = given();
    expect(expectRefusal(stash, reason, () => stash.hear("c0", message))).toEqual(answers);
  });
});

function having(act: (stash: StashMachine) => unknown): StashMachine {
  const stash = servingStash();
  act(stash);
  return stash;
}

/** A device whose log failed to make upload 3 durable. */
function poisonedStash(): StashMachine {
  const failing = shardOf(uploadOf(3), 0);
  const stash = servingStash();
  stash.hear("c0", stashAppendOf(failing));
  stash.take(appendFailed(failing, "failed"));
  return stash;
}

test("a full stash takes shards again when the log reports free space, and still serves its shards", () => {
  const stash = servingStash();
  stash.hear("c0", stashAppendOf(shard));
  expect(stash.take(appendFailed(shard, "full"))).toEqual([send("c0", answer("full"))]);
  expect(stash.hear("c0", stashAppendOf(shard))).toEqual([send("c0", answer("full"))]);
  stash.take({ type: "occupancy", isFull: false });
  expect(stash.hear("c0", stashAppendOf(shard))).toEqual([{ type: "append", shard, room: "data" }]);
  stash.take(appended(shard));
  stash.take({ type: "occupancy", isFull: true });
  expect(stash.hear("c0", stashAppendOf(shard))).toEqual([send("c0", answer("durable"))]);
});

describe("after a failed fsync, a stash device no longer acknowledges or purges", () => {
  const kept = shardOf(uploadOf(2), 1);

  function failed(): StashMachine {
    const stash = servingStash();
    stash.hear("c0", stashAppendOf(kept));
    stash.take(appended(kept));
    stash.hear("c0", stashAppendOf(shard));
    stash.hear("c1", stashAppendOf(shard));
    expect(stash.take(appendFailed(shard, "failed"))).toEqual([
      send("c0", answer("failed")),
      send("c1", answer("failed")),
    ]);
    return stash;
  }

  test("notifies every waiter of the batch that it failed, and later appends fail too", () => {
    const stash = failed();
    expect(stash.state.lifecycle).toBe("poisoned");
    expect(stash.hear("c0", stashAppendOf(shard))).toEqual([send("c0", answer("failed"))]);
  });

  test("ignores purges and discards, so that records remain", () => {
    const stash = failed();
    const { uploadId } = kept.upload;
    const entries = [{ uploadId, shardIndex: 1, payloadCrc: kept.payloadCrc }];
    const pod = { podIndex: 1, driveId: "drive-1", bootId: 1 };
    expect(stash.hear("p1", { type: "stash.purge", pod, epoch: 1, entries })).toEqual([]);
    const proof = { type: "refused", by: [0, 2] } as const;
    expect(stash.hear("c0", { type: "stash.discard", upload: kept.upload, proof })).toEqual([]);
    expect(stash.hear("c0", { type: "stash.probe", requestId: 1, uploadId })).toMatchObject([
      { message: { shardIndices: [1] } },
    ]);
  });

  test("stops serving corrupt bytes, but writes nothing, not even that they are dead", () => {
    const stash = failed();
    const corrupt = { type: "corrupt", uploadId: kept.upload.uploadId, shardIndex: 1 } as const;
    expect(stash.take(corrupt)).toEqual([]);
    const { uploadId } = kept.upload;
    expect(stash.hear("c0", { type: "stash.probe", requestId: 1, uploadId })).toMatchObject([
      { message: { shardIndices: [], damagedIndices: [1] } },
    ]);
  });

  test("offers nothing, because a pod that stores an offered shard could not purge it", () => {
    const stash = failed();
    stash.nowMs = 60_000;
    expect(stash.take({ type: "timer", key: "offer" })).toMatchObject([{ type: "setTimer" }]);
  });

  test("throws if a commit claims to have succeeded later", () => {
    const stash = servingStash();
    const other = shardOf(uploadOf(8), 1);
    stash.hear("c0", stashAppendOf(shard));
    stash.hear("c0", stashAppendOf(other));
    stash.take(appendFailed(shard, "failed"));
    expect(() => stash.take(appended(other))).toThrow("poisoned");
  });

  test("still reads earlier durable shards and hands them to their pods", () => {
    const stash = failed();
    const { uploadId } = kept.upload;
    expect(stash.hear("c0", { type: "stash.load", requestId: 1, uploadId })).toMatchObject([
      { type: "load" },
    ]);
    const pod = { podIndex: 1, driveId: "drive-1", bootId: 2 };
    expect(stash.hear("p1", { type: "stash.pull", pod, cursor: 0 })).toMatchObject([{ type: "load" }]);
  });
});

test("a record without an entry is killed", () => {
  const stash = servingStash();
  expect(stash.take(appended(shard))).toEqual([killed(shard)]);
});

test("bytes that the log refuses are refused and counted, and the device stays in service", () => {
  const stash = servingStash();
  stash.hear("c0", stashAppendOf(shard));
  expect(stash.take(appendFailed(shard, "refused"))).toMatchObject([
    { to: "c0", message: { result: "failed" } },
  ]);
  expect(stash.state.lifecycle).toBe("serving");
  expect(stash.state.entries.size).toBe(0);
  expect(stash.state.refusals.get("append that the log refuses")).toBe(1);
});

test("a failure of a record that no request waits for still counts as the device's failure", () => {
  const stash = servingStash();
  expect(stash.take(appendFailed(shard, "failed"))).toEqual([]);
  expect(stash.state.lifecycle).toBe("poisoned");
});
