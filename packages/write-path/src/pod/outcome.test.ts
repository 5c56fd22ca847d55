import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import type { PodMessage, PodProbeAnswer, RefusalWish } from "../messages/index.ts";
import {
  addresseesOf,
  appended,
  countTo,
  expectRefusal,
  killed,
  loggedOf,
  messagesOf,
  type PodMachine,
  placeOf,
  podAppendOf,
  send,
  settledPod,
  shardOf,
  snapshotOf,
  startedPod,
  twoPlusOne,
  uploadOf,
  vaultOf,
} from "../testing/index.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import { ASK_AFTER_MS } from "./outcome.ts";

const upload = uploadOf(7);
const shard = shardOf(upload, 0);
const { uploadId } = upload;

function probeOf(
  refuse: RefusalWish = "nobody",
  isCommitted = false,
): Extract<PodMessage, { type: "pod.probe" }> {
  return { type: "pod.probe", requestId: 3, upload, refuse, isCommitted };
}

const answersIn = (effects: readonly { type: string }[]): PodProbeAnswer[] =>
  messagesOf(effects, "coordinator.probed").map(({ message }) => message.answer);

const holding = () => settledPod(0, [loggedOf(shard)]);
const knowing = () => settledPod(0, [], [], [upload]);
const unknowing = () => settledPod();

function written(): PodMachine {
  const pod = settledPod();
  pod.hear("c0", podAppendOf(shard));
  pod.take(appended(shard));
  return pod;
}

describe("a pod that is asked about an upload", () => {
  test.each<[PodProbeAnswer, () => PodMachine]>([
    ["durable", holding],
    ["known", knowing],
    ["absent", unknowing],
    ["refused", () => settledPod(0, [], [{ uploadId, isKnowing: false, order: upload.order }])],
    ["knownRefused", () => settledPod(0, [], [{ uploadId, isKnowing: true, order: upload.order }])],
    ["superseded", () => having(settledPod(0, [loggedOf(shardOf(uploadOf(8), 0))]), noteOf(uploadOf(8)))],
  ])("answers `%s` in that state of the upload", (answer, given) => {
    expect(answersIn(given().hear("c4", probeOf()))).toEqual([answer]);
  });

  test("names itself, and reports whether it counts and which version of the key is committed", () => {
    const older = uploadOf(5);
    const pod = having(
      settledPod(
        0,
        [older, upload].map((each) => loggedOf(shardOf(each, 0))),
      ),
      noteOf(older),
    );
    expect(pod.hear("c4", probeOf())).toEqual([
      send("c4", {
        type: "coordinator.probed",
        requestId: 3,
        podIndex: 0,
        bootId: 1,
        isSettled: true,
        answer: "durable",
        committedOrder: older.order,
        isCommitted: false,
      }),
    ]);
    pod.hear("c0", noteOf(upload));
    expect(pod.hear("c4", probeOf())).toMatchObject([
      { message: { isCommitted: true, committedOrder: upload.order } },
    ]);
  });

  test("makes the page cache durable before it answers", () => {
    const pod = written();
    expect(pod.hear("c4", probeOf())).toEqual([{ type: "flush" }]);
    expect(answersIn(pod.take({ type: "flushed" }))).toEqual(["durable"]);
  });

  test("waits for shards on their way to the log", () => {
    const pod = settledPod();
    pod.hear("c0", podAppendOf(shard));
    expect(pod.hear("c4", probeOf())).toEqual([]);
    expect(pod.take(appended(shard))).toContainEqual({ type: "flush" });
    expect(answersIn(pod.take({ type: "flushed" }))).toEqual(["durable"]);
  });
});

describe("a pod that learns from a probe that the upload is committed", () => {
  test("answers that it is committed", () => {
    const answers = messagesOf(holding().hear("c4", probeOf("nobody", true)), "coordinator.probed");
    expect(answers.map(({ message }) => message)).toMatchObject([{ answer: "durable", isCommitted: true }]);
  });

  test("promises nothing even when asked to, and drops its earlier promise", () => {
    expect(answersIn(unknowing().hear("c4", probeOf("all", true)))).toEqual(["absent"]);
    const promising = settledPod(0, [], [{ uploadId, isKnowing: false, order: upload.order }]);
    const effects = promising.hear("c4", probeOf("all", true));
    expect(effects).toContainEqual({ type: "forgetRefusal", uploadId });
    expect(answersIn(effects)).toEqual(["absent"]);
  });
});

function noteOf({ uploadId }: { uploadId: string }, outcome: "committed" | "complete" = "committed") {
  return { type: "pod.note", uploadId, outcome } as const;
}

function having(pod: PodMachine, message: PodMessage): PodMachine {
  pod.hear("c0", message);
  return pod;
}

describe("a promise never to take an upload", () => {
  const rows: [string, RefusalWish, () => PodMachine, PodProbeAnswer | "promise"][] = [
    ["a pod that does not know it", "unknowing", unknowing, "promise"],
    ["a pod that does not know it", "all", unknowing, "promise"],
    ["a pod that does not know it", "nobody", unknowing, "absent"],
    ["a pod that knows it", "unknowing", knowing, "known"],
    ["a pod that knows it", "all", knowing, "promise"],
    ["a pod that holds its shard", "all", holding, "durable"],
    ["a pod that is not settled", "all", startedPod, "absent"],
    [
      "a pod that has a later committed version",
      "all",
      () => having(settledPod(0, [loggedOf(shardOf(uploadOf(8), 0))]), noteOf(uploadOf(8))),
      "superseded",
    ],
  ];
  test.each(rows)("%s, when it is requested for %s", (_who, refuse, given, answer) => {
    const effects = given().hear("c4", probeOf(refuse));
    const isPromised = effects.some((effect) => effect.type === "persistRefusal");
    expect(isPromised ? "promise" : answersIn(effects)[0]).toBe(answer);
  });

  test("is reported only once it is durable, to all who asked, and written once", () => {
    const pod = unknowing();
    const refusal = { uploadId, isKnowing: false, order: upload.order };
    expect(pod.hear("c4", probeOf("unknowing"))).toEqual([{ type: "persistRefusal", refusal }]);
    expect(pod.hear("c5", probeOf("unknowing"))).toEqual([]);
    expect(answersIn(pod.hear("c6", probeOf("nobody")))).toEqual(["absent"]);
    const told = pod.take({ type: "refusalPersisted", uploadId });
    expect(addresseesOf(told, "coordinator.probed")).toEqual(["c4", "c5"]);
    expect(answersIn(told)).toEqual(["refused", "refused"]);
    expect(answersIn(pod.hear("c4", probeOf("unknowing")))).toEqual(["refused"]);
  });

  test("holds from the moment it is requested: no put of it is taken while it is being written", () => {
    const pod = unknowing();
    pod.hear("c4", probeOf("unknowing"));
    expectRefusal(pod, "fenced", () => pod.hear("c0", podAppendOf(shard)));
  });

  test("survives a restart, and yields to a shard that is found in the log", () => {
    const refusals = [{ uploadId, isKnowing: false, order: upload.order }];
    const pod = settledPod(0, [], refusals);
    expectRefusal(pod, "fenced", () => pod.hear("c0", podAppendOf(shard)));
    expect(answersIn(settledPod(0, [loggedOf(shard)], refusals).hear("c0", probeOf("all")))).toEqual([
      "durable",
    ]);
    expect(settledPod(0, [loggedOf(shard)], refusals).state.refused.size).toBe(0);
  });
});

describe("the outcome of an upload", () => {
  const remembered = (outcome: "committed" | "complete") => {
    return { type: "remember", position: placeOf(shard), outcome } as const;
  };

  test("is stored with its record, each time it changes", () => {
    const pod = settledPod(0, [loggedOf(shard)]);
    expect(pod.hear("c0", noteOf(upload))).toEqual([remembered("committed")]);
    expect(pod.hear("c0", noteOf(upload))).toEqual([]);
    expect(pod.hear("c0", noteOf(upload, "complete"))).toEqual([remembered("complete")]);
    expect(pod.hear("c0", noteOf(upload))).toEqual([]);
  });

  test("is stored once its record is written, if it arrived earlier", () => {
    const pod = settledPod();
    pod.hear("c0", podAppendOf(shard));
    expect(pod.hear("c0", noteOf(upload))).toEqual([]);
    expect(pod.take(appended(shard))).toContainEqual(remembered("committed"));
  });

  test("is known to a boot whose log has it, and a complete upload causes no question", () => {
    for (const outcome of ["committed", "complete"] as const) {
      const pod = settledPod(0, [{ ...loggedOf(shard), outcome }]);
      expect(pod.state.entries.get(upload.uploadId)?.outcome).toBe(outcome);
      expect(pod.state.unresolved.has(upload.uploadId)).toBe(outcome === "committed");
    }
  });
});

describe("a note that an upload is committed", () => {
  test("voids a promise never to take it, even one that is still being written", () => {
    const pod = unknowing();
    pod.hear("c4", probeOf("unknowing"));
    pod.hear("c0", noteOf(upload));
    expect(pod.take({ type: "refusalPersisted", uploadId })).toEqual([{ type: "forgetRefusal", uploadId }]);
    expect(pod.hear("c0", podAppendOf(shard))).toEqual([{ type: "append", shard, room: "data" }]);
  });

  test("changes nothing for an upload that the pod does not know", () => {
    const pod = unknowing();
    const before = snapshotOf(pod);
    expect(pod.hear("c0", noteOf(upload))).toEqual([]);
    expect(snapshotOf(pod)).toEqual(before);
  });

  test.each([
    ["held", holding, "complete", 0],
    ["only known", knowing, "committed", 1],
  ] as const)(
    "records an upload as complete only if the pod holds the shard (%s)",
    (_what, given, outcome, unresolvedCount) => {
      const pod = having(given(), noteOf(upload, "complete"));
      expect(pod.state.entries.get(uploadId)?.outcome).toBe(outcome);
      expect(pod.state.unresolved.size).toBe(unresolvedCount);
      expect(having(pod, noteOf(upload)).state.entries.get(uploadId)?.outcome).toBe(outcome);
    },
  );
});

describe("a discard", () => {
  const discardOf = (proof: Extract<PodMessage, { type: "pod.discard" }>["proof"]) =>
    ({ type: "pod.discard", upload, proof }) as const;

  test.each([
    ["too few promises", holding, { type: "refused", by: [1] }],
    ["one pod twice", holding, { type: "refused", by: [1, 1] }],
    ["pods that do not exist", holding, { type: "refused", by: [1, 3, -1] }],
    ["its own order", holding, { type: "superseded", by: upload.order }],
    [
      "promises against a committed upload",
      () => having(holding(), noteOf(upload)),
      { type: "refused", by: [1, 2] },
    ],
  ] as const)("without proof is refused and counted, and nothing changes: %s", (_what, given, proof) => {
    const pod = given();
    expect(expectRefusal(pod, "discard without proof", () => pod.hear("c0", discardOf(proof)))).toEqual([]);
  });

  test.each(["p1", "p0", "s0"] as const)(
    "from %s, which is no coordinator, is refused and counted",
    (from) => {
      const pod = holding();
      const proved = discardOf({ type: "refused", by: [1, 2] });
      expect(expectRefusal(pod, "message of a stranger", () => pod.hear(from, proved))).toEqual([]);
      expect(pod.hear("c0", proved)).toHaveLength(2);
    },
  );

  test("that cites a promise that this pod has not made is refused and counted", () => {
    const pod = holding();
    const unkept = discardOf({ type: "refused", by: [0, 1] });
    expect(expectRefusal(pod, "discard without proof", () => pod.hear("c0", unkept))).toEqual([]);
    const lacking = settledPod();
    lacking.hear("c4", probeOf("all"));
    expectRefusal(lacking, "discard without proof", () => lacking.hear("c0", unkept));
    lacking.take({ type: "refusalPersisted", uploadId });
    const { size } = lacking.state.refusals;
    expect(lacking.hear("c0", unkept)).toEqual([]);
    expect(lacking.state.refusals.size).toBe(size);
  });

  test("proved by m + 1 promises ends the shard, and this pod promises as well", () => {
    const persist = { type: "persistRefusal", refusal: { uploadId, isKnowing: false, order: upload.order } };
    const pod = holding();
    expect(pod.hear("c0", discardOf({ type: "refused", by: [1, 2] }))).toEqual([killed(shard), persist]);
    expect(pod.hear("c0", discardOf({ type: "refused", by: [1, 2] }))).toEqual([]);
    expectRefusal(pod, "fenced", () => pod.hear("c0", podAppendOf(shard)));
  });

  test("proved by m + 1 promises makes a durable shard another promise, reported once it is durable", () => {
    const pod = holding();
    pod.hear("c0", discardOf({ type: "refused", by: [1, 2] }));
    expect(pod.hear("c4", probeOf("all"))).toEqual([]);
    expect(answersIn(pod.take({ type: "refusalPersisted", uploadId }))).toEqual(["refused"]);
  });

  test("proved by a later version ends the shard, and promises nothing", () => {
    const pod = having(holding(), noteOf(upload));
    expect(pod.hear("c0", discardOf({ type: "superseded", by: uploadOf(8).order }))).toEqual([killed(shard)]);
    expect(pod.state.refused.size).toBe(0);
  });
});

describe("an upload without a reported outcome", () => {
  const timer = { type: "timer", key: "outcomes" } as const;
  const again = { type: "setTimer", key: "outcomes", delayMs: 5000 };

  test("is asked about after twenty seconds, then at growing intervals, each time at the next coordinator", () => {
    const pod = settledPod(0, [loggedOf(shard)], [], [], vaultOf(twoPlusOne, { coordinatorCount: 3 }));
    pod.nowMs = ASK_AFTER_MS - 1;
    expect(pod.take(timer)).toEqual([again]);
    // Twenty seconds after it arrived, then forty after the first question, and eighty after the second.
    const asked = [1, 3, 7].flatMap((multiple) => {
      pod.nowMs = ASK_AFTER_MS * multiple - 1;
      expect(pod.take(timer)).toEqual([again]);
      pod.nowMs += 1;
      return messagesOf(pod.take(timer), "coordinator.resolve");
    });
    expect(asked.map(({ message }) => message.upload)).toEqual([upload, upload, upload]);
    expect(new Set(asked.map(({ to }) => to))).toEqual(new Set(["c0", "c1", "c2"]));
  });

  test("is not asked about once it is complete, nor by a pod that is not settled", () => {
    for (const pod of [having(holding(), noteOf(upload, "complete")), startedPod(0, [loggedOf(shard)])]) {
      pod.nowMs = ASK_AFTER_MS;
      expect(pod.take(timer)).toEqual([again]);
    }
  });

  test("does not block others: sixteen are asked about at a time, the rest a second later", () => {
    const uploads = countTo(20).map((number) => uploadOf(number + 1, { key: `${number}` }));
    const pod = settledPod(
      0,
      uploads.map((each) => loggedOf(shardOf(each, 0))),
    );
    pod.nowMs = ASK_AFTER_MS;
    const effects = [pod.take(timer), pod.take(timer)];
    expect(effects[0]).toContainEqual({ ...again, delayMs: 1000 });
    expect(effects[1]).toContainEqual(again);
    const [first, second] = effects.map((each) => messagesOf(each, "coordinator.resolve"));
    assert(first && second);
    expect([first.length, second.length]).toEqual([16, 4]);
    expect([...first, ...second].map(({ message }) => message.upload)).toEqual(uploads);
  });
});

test("a pod that knows of no committed version of a key answers the lowest order", () => {
  expect(unknowing().hear("c0", probeOf())).toMatchObject([{ message: { committedOrder: LOWEST_ORDER } }]);
});
