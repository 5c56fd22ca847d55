import { describe, expect, test } from "vitest";
import type { AppendRefusal, Condition, PodAppend } from "../messages/index.ts";
import { quorumsOf, type Scheme } from "../quorums.ts";
import {
  appended,
  appendFailed,
  countTo,
  expectRefusal,
  killed,
  loggedOf,
  messagesOf,
  type PodMachine,
  podAppendOf,
  send,
  settledPod,
  shardOf,
  startedPod,
  twoPlusOne,
  uploadOf,
  vaultOf,
  withOtherBytes,
} from "../testing/index.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import { FLUSH_EVERY_MS } from "./flush.ts";

const upload = uploadOf(7);
const shard = shardOf(upload, 0);

const podAppended = (result: "written" | "durable") =>
  ({ type: "coordinator.podAppended", uploadId: upload.uploadId, podIndex: 0, bootId: 1, result }) as const;

/** Creates a settled pod that holds these versions of the key durably, with this outcome. */
function podWith(
  versions: readonly (typeof upload)[],
  outcome: "committed" | null = "committed",
): PodMachine {
  const pod = settledPod(
    0,
    versions.map((version) => loggedOf(shardOf(version, 0))),
  );
  if (outcome) for (const { uploadId } of versions) pod.hear("c0", { type: "pod.note", uploadId, outcome });
  return pod;
}

test("a pod answers a put `written` once it is in the page cache, and flushes it within seconds", () => {
  const pod = settledPod();
  expect(pod.hear("c0", podAppendOf(shard))).toEqual([{ type: "append", shard, room: "data" }]);
  expect(pod.take(appended(shard))).toEqual([
    send("c0", podAppended("written")),
    { type: "setTimer", key: "flush", delayMs: FLUSH_EVERY_MS },
  ]);
});

test("pods whose shards arrive at the same time flush one after the other", () => {
  const flushDelayMs = (podIndex: number, nowMs: number) => {
    const pod = settledPod(podIndex);
    pod.nowMs = nowMs;
    pod.hear("c0", podAppendOf(shardOf(upload, podIndex)));
    const timers = pod.take(appended(shardOf(upload, podIndex))).filter(({ type }) => type === "setTimer");
    return timers.map((timer) => "delayMs" in timer && timer.delayMs);
  };
  expect([0, 1, 2].map((podIndex) => flushDelayMs(podIndex, 0))).toEqual([[5000], [1666], [3333]]);
  expect([0, 1, 2].map((podIndex) => flushDelayMs(podIndex, 2000.5))).toEqual([[3000], [4666], [1333]]);
});

test("a pod answers a put on the direct path only after its fdatasync has returned", () => {
  const pod = settledPod();
  pod.hear("c0", podAppendOf(shard, { isDurable: true }));
  expect(pod.take(appended(shard))).toEqual([{ type: "flush" }]);
  expect(pod.take({ type: "flushed" })).toEqual([send("c0", podAppended("durable"))]);
});

describe("a duplicate shard is written once", () => {
  test("each requester is answered in turn while it is being written", () => {
    const pod = settledPod();
    pod.hear("c0", podAppendOf(shard));
    expect(pod.hear("c1", podAppendOf(shard))).toEqual([]);
    expect(pod.hear("c2", podAppendOf(shard, { isDurable: true }))).toEqual([]);
    expect(pod.take(appended(shard))).toEqual([
      send("c0", podAppended("written")),
      send("c1", podAppended("written")),
      { type: "flush" },
    ]);
    expect(pod.take({ type: "flushed" })).toEqual([send("c2", podAppended("durable"))]);
  });

  test("later requesters are answered from its record", () => {
    const pod = settledPod();
    pod.hear("c0", podAppendOf(shard));
    pod.take(appended(shard));
    expect(pod.hear("c0", podAppendOf(shard))).toEqual([send("c0", podAppended("written"))]);
    expect(pod.hear("c0", podAppendOf(shard, { isDurable: true }))).toEqual([{ type: "flush" }]);
    pod.take({ type: "flushed" });
    expect(pod.hear("c0", podAppendOf(shard))).toEqual([send("c0", podAppended("durable"))]);
  });
});

describe("an invalid append is refused, counted, answered with the key's version, and changes nothing", () => {
  const present = uploadOf(5);
  const object: Condition = { type: "etag", etag: present.etag };
  const refused = () =>
    settledPod(0, [], [{ uploadId: upload.uploadId, isKnowing: false, order: upload.order }]);
  const rows: [AppendRefusal, string, () => PodMachine, Partial<PodAppend>][] = [
    ["rebooted", "meant for an earlier boot", settledPod, { bootId: 0 }],
    ["rebooted", "meant for a later boot", settledPod, { bootId: 2 }],
    ["epoch", "of a later epoch", settledPod, { shard: shardOf(uploadOf(7, { epoch: 2 }), 0) }],
    ["epoch", "of an earlier epoch", settledPod, { shard: shardOf(uploadOf(7, { epoch: 0 }), 0) }],
    [
      "epoch",
      "of a later epoch, as a repair",
      settledPod,
      { shard: shardOf(uploadOf(7, { epoch: 2 }), 0), purpose: "repair" },
    ],
    ["mismatch", "another pod's shard", settledPod, { shard: shardOf(upload, 1) }],
    [
      "mismatch",
      "another pod's shard, as a repair",
      settledPod,
      { shard: shardOf(upload, 1), purpose: "repair" },
    ],
    ["mismatch", "other bytes of an upload", () => podWith([upload]), { shard: withOtherBytes(shard) }],
    [
      "mismatch",
      "other bytes, as a repair",
      () => podWith([upload]),
      { shard: withOtherBytes(shard), purpose: "repair" },
    ],
    ["fenced", "an upload that the pod promised never to take", refused, {}],
    ["fenced", "an upload that the pod promised never to take, as a push", refused, { purpose: "push" }],
    ["unsettled", "before the pod is settled", startedPod, {}],
    ["order", "below a version that the pod holds", () => podWith([uploadOf(8)]), {}],
    [
      "order",
      "of the same order as a version that the pod holds",
      () => podWith([uploadOf(8, { order: upload.order })]),
      {},
    ],
    ["order", "below a version that the pod only knows", () => settledPod(0, [], [], [uploadOf(8)]), {}],
    [
      "condition",
      "requires absence, and the object exists",
      () => podWith([present]),
      { condition: { type: "absent" } },
    ],
    [
      "condition",
      "requires another ETag",
      () => podWith([present]),
      { condition: { type: "etag", etag: "x" } },
    ],
    [
      "condition",
      "requires another upload with the same ETag",
      () => podWith([uploadOf(6, { etag: present.etag })]),
      { condition: { type: "version", uploadId: present.uploadId } },
    ],
    ["condition", "requires an ETag, and there is no object", settledPod, { condition: object }],
    [
      "condition",
      "requires an ETag, and the object is deleted",
      () => podWith([present, uploadOf(6, { kind: "tombstone", etag: present.etag })]),
      { condition: object },
    ],
    [
      "contested",
      "requires absence, and the outcome of a version is unknown",
      () => podWith([present], null),
      { condition: { type: "absent" } },
    ],
    [
      "contested",
      "requires an ETag of a version whose outcome is unknown",
      () => podWith([present], null),
      { condition: object },
    ],
  ];
  test.each(rows)("%s: %s", (reason, _what, given, changes) => {
    const pod = given();
    const message = podAppendOf(shard, changes);
    const effects = expectRefusal(pod, reason, () => pod.hear("c0", message));
    const top = pod.state.entries.highestVersion({ bucket: "photos", key: "cat" });
    expect(messagesOf(effects, "coordinator.podRefused")).toEqual([
      {
        to: "c0",
        message: {
          type: "coordinator.podRefused",
          uploadId: upload.uploadId,
          podIndex: 0,
          bootId: 1,
          reason,
          present: top ? { upload: top.upload, holds: top.state, isCommitted: top.outcome !== null } : null,
          highestOrder: top?.upload.order ?? LOWEST_ORDER,
        },
      },
    ]);
    expect(effects).toHaveLength(1);
  });
});

test.each<[string, PodMachine, Condition]>([
  ["absent: never was", settledPod(), { type: "absent" }],
  ["absent: deleted", podWith([uploadOf(5), uploadOf(6, { kind: "tombstone" })]), { type: "absent" }],
  ["the ETag that is there", podWith([uploadOf(5)]), { type: "etag", etag: "etag-5" }],
  ["the version that is there", podWith([uploadOf(5)]), { type: "version", uploadId: uploadOf(5).uploadId }],
])("a condition that holds lets the put through (%s)", (_what, pod, condition) => {
  expect(pod.hear("c0", podAppendOf(shard, { condition }))).toMatchObject([{ type: "append", shard }]);
});

describe("an append that completes an upload that may live", () => {
  test("is not checked for its condition again, and needs no settled pod", () => {
    for (const pod of [settledPod(), startedPod()]) {
      const push = podAppendOf(shard, { purpose: "push", condition: { type: "etag", etag: "other" } });
      expect(pod.hear("c0", push)).toEqual([{ type: "append", shard, room: "repair" }]);
    }
  });

  test("is refused below a higher version, unless it is proved to live", () => {
    const pod = podWith([uploadOf(9)]);
    const refused = pod.hear("c0", podAppendOf(shard, { purpose: "push" }));
    expect(refused).toMatchObject([
      {
        to: "c0",
        message: { type: "coordinator.podRefused", reason: "order", present: { upload: uploadOf(9) } },
      },
    ]);
    expect(pod.hear("c0", podAppendOf(shard, { purpose: "repair" }))).toEqual([
      { type: "append", shard, room: "repair" },
    ]);
  });

  test("voids an earlier promise never to take it if it is a repair", () => {
    const pod = settledPod(0, [], [{ uploadId: upload.uploadId, isKnowing: true, order: upload.order }]);
    expect(pod.hear("c0", podAppendOf(shard, { purpose: "repair" }))).toEqual([
      { type: "forgetRefusal", uploadId: upload.uploadId },
      { type: "append", shard, room: "repair" },
    ]);
    expect(pod.state.refused.size).toBe(0);
  });

  test("takes the shard of an upload that the pod only knew of, and keeps its outcome", () => {
    const pod = settledPod(0, [], [], [upload]);
    pod.hear("c0", { type: "pod.note", uploadId: upload.uploadId, outcome: "committed" });
    pod.hear("c0", podAppendOf(shard, { purpose: "repair", isDurable: true }));
    pod.take(appended(shard));
    expect(pod.take({ type: "flushed" })).toEqual([send("c0", podAppended("durable"))]);
    expect(pod.state.entries.get(upload.uploadId)).toMatchObject({ state: "durable", outcome: "committed" });
  });
});

test("an append is refused by a full log, and may be sent again", () => {
  const pod = settledPod();
  pod.hear("c0", podAppendOf(shard));
  expect(pod.take(appendFailed(shard, "full"))).toMatchObject([{ to: "c0", message: { reason: "full" } }]);
  expect(pod.hear("c0", podAppendOf(shard))).toEqual([{ type: "append", shard, room: "data" }]);
});

test("an append of bytes that the log refuses is refused and counted, and leaves nothing behind", () => {
  const pod = settledPod();
  pod.hear("c0", podAppendOf(shard));
  expect(pod.take(appendFailed(shard, "refused"))).toMatchObject([
    { to: "c0", message: { reason: "mismatch" } },
  ]);
  expect(pod.state.entries.size).toBe(0);
  expect(pod.state.refusals.get("record that the log refuses")).toBe(1);
});

test("an upload that was already known stays known after a failed append", () => {
  const pod = settledPod(0, [], [], [upload]);
  pod.hear("c0", podAppendOf(shard, { purpose: "repair" }));
  pod.take(appendFailed(shard, "full"));
  expect(pod.state.entries.get(upload.uploadId)).toMatchObject({ state: "known" });
  const probe = { type: "pod.probe", requestId: 1, upload, refuse: "unknowing", isCommitted: false } as const;
  expect(pod.hear("c0", probe)).toMatchObject([{ message: { answer: "known" } }]);
});

test("a write that fails ends the boot: no answer or action follows", () => {
  const pod = settledPod();
  pod.hear("c0", podAppendOf(shard));
  expect(pod.take(appendFailed(shard, "failed"))).toMatchObject([{ type: "halt" }]);
  expect(pod.take(appended(shard))).toEqual([]);
  expect(pod.hear("c0", { type: "pod.greet", floor: LOWEST_ORDER })).toEqual([]);
  expect(pod.take({ type: "timer", key: "flush" })).toEqual([]);
});

test("a shard discarded on its way to the log is killed when it arrives there", () => {
  const pod = settledPod();
  pod.hear("c0", podAppendOf(shard));
  pod.hear("c0", { type: "pod.discard", upload, proof: { type: "superseded", by: uploadOf(8).order } });
  expect(pod.take(appended(shard))).toEqual([killed(shard)]);
});

test("a pod promises nothing while the shard is on its way to the log: its kill would follow the promise", () => {
  const pod = settledPod();
  pod.hear("c0", podAppendOf(shard));
  const discard = { type: "pod.discard", upload, proof: { type: "refused", by: [1, 2] } } as const;
  expect(pod.hear("c0", discard)).toEqual([]);
  expect(pod.state.refused.size).toBe(0);
  pod.take(appended(shard));
  const refusal = { uploadId: upload.uploadId, isKnowing: false, order: upload.order };
  expect(pod.hear("c0", discard)).toEqual([killed(shard), { type: "persistRefusal", refusal }]);
});

describe("a pod confirms shards that it holds in this boot, and does not answer otherwise", () => {
  const confirm = (bootId: number) => ({ type: "pod.confirm", uploadId: upload.uploadId, bootId }) as const;
  const rows: [string, (pod: PodMachine) => unknown, number, boolean][] = [
    ["nothing", () => {}, 1, false],
    ["only on its way to the log", (pod) => pod.hear("c0", podAppendOf(shard)), 1, false],
    ["written", write, 1, true],
    ["written, asked of another boot", write, 2, false],
    [
      "durable",
      (pod) => [write(pod), pod.take({ type: "timer", key: "flush" }), pod.take({ type: "flushed" })],
      1,
      true,
    ],
  ];
  test.each(rows)("%s", (_what, act, bootId, isConfirmed) => {
    const pod = settledPod();
    act(pod);
    const { uploadId } = upload;
    const confirmed = { type: "coordinator.confirmed", uploadId, podIndex: 0, bootId: 1 } as const;
    expect(pod.hear("c1", confirm(bootId))).toEqual(isConfirmed ? [send("c1", confirmed)] : []);
  });

  function write(pod: PodMachine): void {
    pod.hear("c0", podAppendOf(shard));
    pod.take(appended(shard));
  }
});

/** Each pod receives both attempts, in the order given by the bits of `firsts`. Returns the votes of each. */
function votes(scheme: Scheme, firsts: number, condition: Condition): [number, number] {
  const attempts = [uploadOf(7), uploadOf(8)] as const;
  const counts: [number, number] = [0, 0];
  for (const podIndex of countTo(quorumsOf(scheme).shardCount)) {
    const pod = settledPod(podIndex, [], [], [], vaultOf(scheme));
    const first = (firsts >> podIndex) & 1;
    for (const attempt of [first, 1 - first] as (0 | 1)[]) {
      const said = pod.hear("c0", podAppendOf(shardOf(attempts[attempt], podIndex), { condition }));
      counts[attempt] += said.filter((effect) => effect.type === "append").length;
    }
  }
  return counts;
}

test("a pod votes for one of two conflicting attempts in any order, so they are never both acknowledged", () => {
  let caseCount = 0;
  for (const [dataShardCount, parityShardCount] of [
    [2, 1],
    [3, 1],
    [3, 2],
    [4, 2],
  ] as const) {
    const scheme = { dataShardCount, parityShardCount };
    const { shardCount, acknowledge } = quorumsOf(scheme);
    for (let firsts = 0; firsts < 2 ** shardCount; firsts += 1) {
      const [first, second] = votes(scheme, firsts, { type: "absent" });
      expect(first + second).toBe(shardCount);
      expect(first >= acknowledge && second >= acknowledge).toBe(false);
      caseCount += 1;
    }
  }
  expect(caseCount).toBe(8 + 16 + 32 + 64);
});

test("every pod takes the later of two unconditional attempts, and pods that receive the earlier one first take it too", () => {
  for (let firsts = 0; firsts < 8; firsts += 1) {
    const earlierFirst = 3 - countTo(3).filter((podIndex) => (firsts >> podIndex) & 1).length;
    expect(votes(twoPlusOne, firsts, { type: "none" })).toEqual([earlierFirst, 3]);
  }
});
