/** Tests the end of an upload without its quorum, and the answer to its client. */
import { describe, expect, test } from "vitest";
import type { PutOutcome } from "../effects.ts";
import type { AppendRefusal, PodProbeAnswer } from "../messages/index.ts";
import {
  addresseesOf,
  countTo,
  messagesOf,
  outcomesIn,
  type PutInTest,
  startedPut,
  threePlusTwo,
  uploadOf,
} from "../testing/index.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import { LOOK_EVERY_MS, PUT_DEADLINE_MS } from "./acknowledge-put.ts";
import { SILENCE_MS } from "./asked-nodes.ts";
import { STASH_BUDGET_MS } from "./choose-stash-devices.ts";
import { describeShortage, noteLost } from "./lost.ts";
import { RESOLVE_DEADLINE_MS } from "./resolve-outcome.ts";

/** Gives the answer of pod `podIndex` to the probe of the current resolution. */
function probed(
  put: PutInTest,
  podIndex: number,
  answer: PodProbeAnswer,
  committedOrder = LOWEST_ORDER,
  isCommitted = false,
) {
  const requestId = put.coordinator.state.resolutions.get(put.uploadId)?.requestId ?? -1;
  return put.coordinator.hear(`p${podIndex}`, {
    type: "coordinator.probed",
    requestId,
    podIndex,
    bootId: 1,
    isSettled: true,
    answer,
    committedOrder,
    isCommitted,
  });
}

test("a deletion that every pod may have forgotten ends as unavailable, not as a failed condition", () => {
  const put = startedPut({ request: { kind: "tombstone" } });
  put.refusedBy(0, "condition");
  put.coordinator.state.floor = "f".repeat(24);
  const ending = put.refusedBy(2, "condition");
  expect(outcomesIn(ending)).toEqual([{ type: "unavailable" }]);
  expect(addresseesOf(ending, "stash.discard")).toEqual(["s0", "s1", "s2"]);
});

test("a committed and superseded upload is dropped, and not rebuilt on any pod", () => {
  const put = startedPut();
  put.refusedBy(0, "failed");
  put.refusedBy(2, "failed");
  const ending = probed(put, 1, "durable", "f".repeat(24), true);
  expect(messagesOf(ending, "pod.discard").map(({ message }) => message.proof)).toEqual(
    countTo(3).map(() => ({ type: "superseded", by: "f".repeat(24) })),
  );
  expect(messagesOf(ending, "pod.load")).toEqual([]);
  expect(put.coordinator.state.resolutions.size).toBe(0);
});

describe("two refusals end an attempt, and the client gets the reason only once the attempt is proved dead", () => {
  const outcomes: Record<string, PutOutcome> = {
    again: { type: "again" },
    precondition: { type: "precondition" },
    conflict: { type: "conflict" },
    outdated: { type: "outdated" },
    unavailable: { type: "unavailable" },
  };
  test.each<[AppendRefusal, AppendRefusal, PutOutcome["type"]]>([
    ["order", "order", "again"],
    ["order", "failed", "again"],
    ["condition", "order", "again"],
    ["condition", "condition", "precondition"],
    ["condition", "contested", "conflict"],
    ["contested", "contested", "conflict"],
    ["condition", "failed", "conflict"],
    ["contested", "unsettled", "conflict"],
    ["failed", "failed", "unavailable"],
    ["unsettled", "rebooted", "unavailable"],
    ["epoch", "mismatch", "outdated"],
    ["fenced", "fenced", "unavailable"],
  ])("for the reasons %s and %s: %s", (first, second, type) => {
    const put = startedPut();
    expect(put.refusedBy(0, first)).toEqual([]);
    const ending = put.refusedBy(2, second);
    expect(outcomesIn(ending)).toEqual([]);
    expect(messagesOf(ending, "pod.probe").map(({ message }) => message.refuse)).toEqual(
      countTo(3).map(() => "unknowing"),
    );
    expect(outcomesIn(probed(put, 0, "refused"))).toEqual([]);
    const dead = probed(put, 2, "refused");
    expect(outcomesIn(dead)).toEqual([outcomes[type]]);
    expect(addresseesOf(dead, "pod.discard")).toEqual(["p0", "p1", "p2"]);
    expect(addresseesOf(dead, "stash.discard")).toEqual(["s0", "s1", "s2"]);
    expect(put.coordinator.state.puts.size).toBe(0);
  });

  test.each<[AppendRefusal, PutOutcome["type"]]>([
    ["condition", "precondition"],
    ["fenced", "conflict"],
  ])(
    "a third pod decides whether the condition is unmet if a reader may have seen an upload that two lack (%s: %s)",
    (third, type) => {
      const put = startedPut({ scheme: threePlusTwo, request: { condition: { type: "absent" } } });
      put.refusedBy(0, "condition");
      put.refusedBy(1, "condition");
      put.refusedBy(2, third);
      const outcomes = countTo(5).flatMap((podIndex) => outcomesIn(probed(put, podIndex, "refused")));
      expect(outcomes).toEqual([{ type }]);
    },
  );

  test("a single refusal does not end an attempt", () => {
    const put = startedPut({ scheme: threePlusTwo });
    put.refusedBy(4, "failed");
    for (const podIndex of countTo(4)) put.appendedOn(podIndex);
    expect(countTo(4).flatMap((index) => outcomesIn(put.onStash(index)))).toMatchObject([{ type: "stored" }]);
  });

  test("a contested attempt resolves the other version, so that a retry is not blocked", () => {
    const put = startedPut({ request: { condition: { type: "absent" } } });
    const present = { upload: uploadOf(3), holds: "written", isCommitted: false } as const;
    const said = put.refusedBy(0, "contested", { present });
    expect(messagesOf(said, "pod.probe").map(({ message }) => message.upload)).toEqual(
      countTo(3).map(() => present.upload),
    );
    expect(put.refusedBy(1, "condition", { present: { ...present, isCommitted: true } })).not.toContainEqual(
      expect.objectContaining({ message: expect.objectContaining({ upload: present.upload }) }),
    );
  });
});

describe("a lost version in the way does not change the outcome of an attempt", () => {
  test.each<[AppendRefusal, PutOutcome["type"]]>([
    ["contested", "conflict"],
    ["order", "again"],
  ])("with two refusals (%s): %s", (reason, type) => {
    const put = startedPut();
    const present = { upload: uploadOf(3), holds: "known", isCommitted: false } as const;
    const { state, nowMs } = put.coordinator;
    noteLost(
      state,
      describeShortage(state, present.upload, 0, () => "damaged"),
      nowMs,
    );
    for (const podIndex of [0, 2]) put.refusedBy(podIndex, reason, { present });
    const outcomes = [0, 2].flatMap((podIndex) => outcomesIn(probed(put, podIndex, "refused")));
    expect(outcomes).toEqual([{ type }]);
  });
});

describe("an abandoned attempt that lives nevertheless", () => {
  function givenUp(takerCount: number): PutInTest {
    const put = startedPut({ scheme: threePlusTwo });
    for (const podIndex of countTo(takerCount)) put.appendedOn(podIndex);
    put.refusedBy(3, "failed");
    put.refusedBy(4, "failed");
    return put;
  }

  test("is answered `stored` once q pods hold it durably, if k pods accepted it as a put", () => {
    const put = givenUp(3);
    const early = countTo(3).flatMap((podIndex) => outcomesIn(probed(put, podIndex, "durable")));
    expect(early).toEqual([]);
    // Readers see the upload from now on, since every pod that answers has it; its author and the pods wait for q.
    put.coordinator.nowMs += 500;
    const shown = put.coordinator.take({ type: "timer", key: `resolve:${put.uploadId}` });
    expect(addresseesOf(shown, "pod.note")).toEqual([]);
    expect(outcomesIn(shown)).toEqual([]);
    const stored = probed(put, 3, "durable");
    expect(addresseesOf(stored, "pod.note")).toHaveLength(5);
    expect(outcomesIn(stored)).toEqual([{ type: "stored", path: "direct", upload: put.upload }]);
  });

  test("is not answered `stored` if another node completed it: it may be below an acknowledged version", () => {
    const put = givenUp(2);
    const outcomes = countTo(5).flatMap((podIndex) => outcomesIn(probed(put, podIndex, "durable")));
    expect(outcomes).toEqual([{ type: "unavailable" }]);
  });

  test("is unavailable when a later version is committed: it may or may not have been shown", () => {
    const put = givenUp(2);
    expect(outcomesIn(probed(put, 0, "superseded", uploadOf(99_999).order))).toEqual([
      { type: "unavailable" },
    ]);
  });

  test("is unavailable when its outcome cannot be determined in time", () => {
    const put = givenUp(2);
    put.coordinator.nowMs += RESOLVE_DEADLINE_MS;
    const effects = put.coordinator.take({ type: "timer", key: `resolve:${put.uploadId}` });
    expect(outcomesIn(effects)).toEqual([{ type: "unavailable" }]);
  });
});

describe("a slow attempt", () => {
  test("asks pods to fsync if q shards are not on the stash in time; shards durable on the stash still count", () => {
    const put = startedPut({ scheme: threePlusTwo });
    for (const podIndex of countTo(4)) put.appendedOn(podIndex);
    for (const index of [0, 1]) put.onStash(index);
    const direct = put.timeout(STASH_BUDGET_MS);
    expect(messagesOf(direct, "pod.append").map(({ message }) => message.isDurable)).toEqual(
      countTo(5).map(() => true),
    );
    expect(outcomesIn(put.appendedOn(2, "durable"))).toEqual([]);
    expect(outcomesIn(put.appendedOn(3, "durable"))).toMatchObject([{ type: "stored", path: "direct" }]);
  });

  test.each(["full", "failed", "rebooted"] as const)(
    "falls back after two shards that the stash answers `%s`",
    (result) => {
      const put = startedPut({ scheme: threePlusTwo });
      expect(put.onStash(1, result)).toEqual([]);
      expect(addresseesOf(put.onStash(3, result), "pod.append")).toHaveLength(5);
      expect(put.attempt?.phase).toBe("direct");
    },
  );

  const waits = [
    ["the direct path", { options: { isStashEnabled: false } }, "direct"],
    ["votes", { request: { condition: { type: "absent" } } }, "voting"],
  ] as const;

  /** Lets time pass while only these pods are reachable. */
  function pass(put: PutInTest, durationMs: number, heardPods: readonly number[]) {
    for (let passedMs = 0; passedMs < durationMs; passedMs += LOOK_EVERY_MS) {
      for (const podIndex of heardPods) put.appendedOn(podIndex, "written", 0);
      put.timeout(LOOK_EVERY_MS);
    }
  }

  test.each(waits)(
    "ends with 503 if fewer than q pods have answered by the deadline of %s",
    (_what, putCase, phase) => {
      const put = startedPut(putCase);
      put.appendedOn(0);
      pass(put, PUT_DEADLINE_MS - LOOK_EVERY_MS, [0, 1, 2]);
      expect(put.attempt?.phase).toBe(phase);
      pass(put, LOOK_EVERY_MS, [0, 1, 2]);
      expect(put.attempt?.phase).toBe("ending");
      expect(outcomesIn(probed(put, 1, "refused"))).toEqual([]);
      expect(outcomesIn(probed(put, 2, "refused"))).toEqual([{ type: "unavailable" }]);
    },
  );

  test.each(waits)("abandons %s once the missing pods have fallen silent", (_what, putCase, phase) => {
    const put = startedPut(putCase);
    put.appendedOn(0);
    pass(put, LOOK_EVERY_MS, [0, 1, 2]);
    pass(put, SILENCE_MS - 2 * LOOK_EVERY_MS, [0]);
    expect(put.attempt?.phase).toBe(phase);
    pass(put, LOOK_EVERY_MS, [0]);
    expect(put.attempt?.phase).toBe("ending");
  });

  test.each(waits)("does not abandon %s because of one silent pod", (_what, putCase, phase) => {
    const put = startedPut(putCase);
    put.appendedOn(0);
    pass(put, SILENCE_MS, [0, 1]);
    expect(put.attempt?.phase).toBe(phase);
  });

  test("ends with 503 while a quorum is silent if it was abandoned, and the search for its outcome continues", () => {
    const put = startedPut({ options: { isStashEnabled: false } });
    put.appendedOn(0);
    pass(put, SILENCE_MS, [0]);
    const effects = put.coordinator.take({ type: "timer", key: `resolve:${put.uploadId}` });
    expect(outcomesIn(effects)).toEqual([{ type: "unavailable" }]);
    expect(messagesOf(effects, "pod.probe")).toHaveLength(3);
    expect(put.coordinator.state.resolutions.has(put.uploadId)).toBe(true);
  });
});
