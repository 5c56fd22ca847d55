/** A pod's reactions to a drive's three answers. */
import { describe, expect, test } from "vitest";
import { FAULT_PASSES_WITHIN_MS } from "../fault-patience.ts";
import {
  appended,
  countTo,
  killed,
  loggedOf,
  messagesOf,
  type PodMachine,
  podAppendOf,
  settledPod,
  shardOf,
  startedPod,
  uploadOf,
} from "../testing/index.ts";
import { damageReport } from "./damage.ts";

const upload = uploadOf(1);
const shard = shardOf(upload, 0);
const timer = { type: "timer", key: "outcomes" } as const;
const corrupt = (number: number) =>
  ({ type: "corrupt", uploadId: uploadOf(number).uploadId, shardIndex: 0 }) as const;

const holding = (count: number): PodMachine =>
  settledPod(
    0,
    countTo(count).map((i) => loggedOf(shardOf(uploadOf(i + 1, { key: `${i}` }), 0))),
  );

const loadsIn = (effects: readonly { type: string }[]) =>
  effects.filter(
    (effect): effect is { type: "load"; loadId: number; position: string } => effect.type === "load",
  );

/** Continues until the pod has checked everything that is due. */
function lookAt(pod: PodMachine, nowMs: number): ReturnType<PodMachine["take"]> {
  pod.nowMs = nowMs;
  return [...pod.take(timer), ...pod.take(timer)];
}

describe("bytes that fail their checksum", () => {
  test("leave the upload known and its record in the log, and the shard is requested again", () => {
    const pod = holding(1);
    expect(pod.take(corrupt(1))).toEqual([]);
    expect(damageReport(pod.state, pod.nowMs)).toEqual({
      damagedCount: 1,
      unreadableCount: 0,
      isCorrelated: false,
    });
    const effects = lookAt(pod, pod.nowMs + 10_000);
    expect(messagesOf(effects, "coordinator.resolve").map(({ message }) => message.upload.uploadId)).toEqual([
      upload.uploadId,
    ]);
    expect(loadsIn(effects)).toHaveLength(1);
  });

  test("are accepted again when they read correctly", () => {
    const pod = holding(1);
    const { position } = loggedOf(shardOf(uploadOf(1, { key: "0" }), 0));
    pod.take(corrupt(1));
    const [load] = loadsIn(lookAt(pod, pod.nowMs + 10_000));
    pod.take({ type: "loaded", loadId: load?.loadId ?? 0, read: { type: "shard", shard } });
    expect(pod.state.entries.get(upload.uploadId)).toMatchObject({ state: "durable", position });
    expect(pod.state.damaged.size).toBe(0);
  });

  test("survive a repair for which the log has no space", () => {
    const pod = holding(1);
    pod.take(corrupt(1));
    pod.hear("c0", podAppendOf(shardOf(uploadOf(1, { key: "0" }), 0), { purpose: "repair" }));
    pod.take({ type: "appendFailed", uploadId: upload.uploadId, shardIndex: 0, reason: "full" });
    expect(pod.state.damaged.has(upload.uploadId)).toBe(true);
    expect(pod.state.entries.get(upload.uploadId)?.state).toBe("known");
  });

  test("are dropped with the upload when it is superseded, and their record is killed then", () => {
    const pod = holding(1);
    pod.take(corrupt(1));
    const newer = shardOf(uploadOf(2, { key: "0" }), 0);
    pod.hear("c0", podAppendOf(newer));
    pod.hear("c0", { type: "pod.note", uploadId: newer.upload.uploadId, outcome: "committed" });
    pod.take(appended(newer));
    pod.take({ type: "timer", key: "flush" });
    expect(pod.take({ type: "flushed" })).toContainEqual(killed(shardOf(uploadOf(1, { key: "0" }), 0)));
    expect(pod.state.damaged.size).toBe(0);
  });
});

describe("many damaged shards within minutes", () => {
  const many = 80;

  test("are correlated: the repair of the latest waits, and that of the first does not", () => {
    const pod = holding(many);
    for (const i of countTo(many)) pod.take(corrupt(i + 1));
    expect(damageReport(pod.state, pod.nowMs)).toMatchObject({ damagedCount: many, isCorrelated: true });
    const held = [...pod.state.damaged.values()].filter(({ heldUntilMs }) => heldUntilMs > 0);
    expect(held).toHaveLength(many - 64);
  });

  test("are all requested again once the damage has lasted, and then no longer count as correlated", () => {
    const pod = holding(many);
    for (const i of countTo(many)) pod.take(corrupt(i + 1));
    const startMs = pod.nowMs;
    const asked = new Set<string>();
    for (let nowMs = startMs; nowMs <= startMs + 3 * FAULT_PASSES_WITHIN_MS; nowMs += 1000) {
      for (const { message } of messagesOf(lookAt(pod, nowMs), "coordinator.resolve"))
        asked.add(message.upload.uploadId);
      if (nowMs === startMs + 60_000) expect(asked.size).toBe(64);
    }
    expect(asked.size).toBe(many);
    expect(damageReport(pod.state, pod.nowMs).isCorrelated).toBe(false);
  });
});

describe("a drive that gives no answer", () => {
  const unreadable = { type: "unreadable", uploadId: upload.uploadId, shardIndex: 0 } as const;

  test("is assumed to hold the shard, and asked again every minute", () => {
    const pod = holding(1);
    pod.take(unreadable);
    expect(pod.state.entries.get(upload.uploadId)?.state).toBe("durable");
    expect(loadsIn(lookAt(pod, pod.nowMs + 10_000))).toEqual([]);
    const [load] = loadsIn(lookAt(pod, pod.nowMs + 61_000));
    pod.take({ type: "loaded", loadId: load?.loadId ?? 0, read: { type: "shard", shard } });
    expect(damageReport(pod.state, pod.nowMs)).toMatchObject({ damagedCount: 0, unreadableCount: 0 });
  });

  test("is queried for each of many shards in turn", () => {
    const many = 600;
    const pod = holding(many);
    for (const i of countTo(many)) pod.take({ ...unreadable, uploadId: uploadOf(i + 1).uploadId });
    const startMs = pod.nowMs;
    const positions = new Set<string>();
    for (let nowMs = startMs; nowMs <= startMs + 180_000; nowMs += 5000) {
      for (const { loadId, position } of loadsIn(lookAt(pod, nowMs))) {
        positions.add(position);
        pod.take({ type: "loaded", loadId, read: { type: "unreadable" } });
      }
    }
    expect(positions.size).toBe(many);
  });

  test("counts as having lost the shard once a fault would have passed", () => {
    const pod = holding(1);
    const startMs = pod.nowMs;
    let firstDamagedMs = Number.POSITIVE_INFINITY;
    pod.take(unreadable);
    for (let nowMs = startMs; nowMs <= startMs + FAULT_PASSES_WITHIN_MS + 61_000; nowMs += 30_000) {
      for (const { loadId } of loadsIn(lookAt(pod, nowMs)))
        pod.take({ type: "loaded", loadId, read: { type: "unreadable" } });
      if (pod.state.damaged.size > 0) firstDamagedMs = Math.min(firstDamagedMs, nowMs - startMs);
    }
    expect(firstDamagedMs).toBeGreaterThanOrEqual(FAULT_PASSES_WITHIN_MS);
    expect(damageReport(pod.state, pod.nowMs)).toMatchObject({ damagedCount: 1, unreadableCount: 0 });
  });
});

describe("a promise about a damaged shard", () => {
  const probe = { type: "pod.probe", requestId: 1, upload, isCommitted: false } as const;
  const { uploadId } = upload;
  const refusal = { uploadId, isKnowing: true, order: upload.order };
  const persisted = { type: "refusalPersisted", uploadId } as const;
  const rotten = { ...loggedOf(shard), isDamaged: true };
  const answers = (effects: readonly { readonly type: string }[]) =>
    messagesOf(effects, "coordinator.probed").map(({ message }) => message.answer);

  test("is requested by name, and then holds", () => {
    const pod = settledPod(0, [rotten]);
    expect(answers(pod.hear("c0", { ...probe, refuse: "unknowing" }))).toEqual(["damaged"]);
    pod.hear("c0", { ...probe, refuse: "all" });
    expect(answers(pod.take(persisted))).toEqual(["knownRefused"]);
  });

  test("kills the record before the promise is written, so the log never has the promise alone", () => {
    const pod = settledPod(0, [rotten]);
    const effects = pod.hear("c0", { ...probe, refuse: "all" });
    expect(effects).toEqual([killed(shard), { type: "persistRefusal", refusal }]);
    expect(pod.state.damaged.size).toBe(0);
  });

  test("is counted among the kills that a power cut would undo until the next flush", () => {
    const pod = settledPod(0, [rotten]);
    pod.hear("c0", { ...probe, refuse: "all" });
    expect(pod.state.openKill).toBe(upload.order);
  });

  test.each(["before", "after"])("is kept when the medium becomes readable %s it is durable", (when) => {
    const pod = settledPod(0, [loggedOf(shard)]);
    pod.take({ type: "corrupt", uploadId, shardIndex: 0 });
    const [load] = loadsIn(lookAt(pod, pod.nowMs + 10_000));
    const readAgain = { type: "loaded", loadId: load?.loadId ?? 0, read: { type: "shard", shard } } as const;
    pod.hear("c0", { ...probe, refuse: "all" });
    if (when === "before") pod.take(readAgain);
    pod.take(persisted);
    if (when === "after") pod.take(readAgain);
    expect(answers(pod.hear("c0", { ...probe, refuse: "nobody" }))).toEqual(["knownRefused"]);
    expect(pod.state.entries.get(uploadId)?.state).toBe("known");
  });

  test("is also made by name below the horizon, and not given before it is durable", () => {
    const pod = settledPod(0, [rotten]);
    pod.take({ type: "horizonPersisted", horizon: uploadOf(2).order });
    expect(pod.hear("c0", { ...probe, refuse: "all" })).toEqual([
      killed(shard),
      { type: "persistRefusal", refusal },
    ]);
    expect(answers(pod.hear("c0", { ...probe, refuse: "nobody" }))).toEqual(["known"]);
    expect(answers(pod.hear("c0", { ...probe, refuse: "all" }))).toEqual([]);
    expect(answers(pod.take(persisted))).toEqual(["knownRefused", "knownRefused"]);
  });

  test.each([
    { found: "both", shards: [], refusals: [refusal], answer: "knownRefused" },
    { found: "the promise and not the kill", shards: [rotten], refusals: [refusal], answer: "knownRefused" },
    { found: "the kill and not the promise", shards: [], refusals: [], answer: "absent" },
    { found: "neither", shards: [rotten], refusals: [], answer: "damaged" },
  ])("a restart that finds $found answers $answer", ({ shards, refusals, answer }) => {
    const pod = settledPod(0, shards, refusals);
    expect(answers(pod.hear("c0", { ...probe, refuse: "nobody" }))).toEqual([answer]);
  });

  test("outweighs the damaged record that a restart finds next to it, which is killed again", () => {
    const pod = startedPod();
    const { identity, horizon } = pod.state;
    const effects = pod.take({ type: "recovered", identity, shards: [rotten], refusals: [refusal], horizon });
    expect(effects.filter(({ type }) => type === "kill" || type === "forgetRefusal")).toEqual([
      killed(shard),
    ]);
    expect(pod.state.entries.size + pod.state.damaged.size).toBe(0);
  });

  test("is void if a restart finds good bytes next to it, which only a later repair can have written", () => {
    const pod = settledPod(0, [loggedOf(shard)], [refusal]);
    expect(answers(pod.hear("c0", { ...probe, refuse: "nobody" }))).toEqual(["durable"]);
  });
});

test("a shard that the log reports damaged at a restart is answered as damaged", () => {
  const pod = settledPod(0, [{ ...loggedOf(shard), outcome: "committed", isDamaged: true }]);
  expect(pod.state.damaged.has(upload.uploadId)).toBe(true);
  const probe = { type: "pod.probe", requestId: 1, upload, refuse: "nobody", isCommitted: false } as const;
  expect(pod.hear("c0", probe)).toMatchObject([{ message: { answer: "damaged", isCommitted: true } }]);
});
