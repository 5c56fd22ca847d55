/** What a pod makes of a drive's three answers. */
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

/** Goes on until the pod has looked at what is due. */
function lookAt(pod: PodMachine, nowMs: number): ReturnType<PodMachine["take"]> {
  pod.nowMs = nowMs;
  return [...pod.take(timer), ...pod.take(timer)];
}

describe("bytes that fail their checksum", () => {
  test("leave the upload known and its record in the log, and are asked for again", () => {
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

  test("are forgiven when they read right again", () => {
    const pod = holding(1);
    const { position } = loggedOf(shardOf(uploadOf(1, { key: "0" }), 0));
    pod.take(corrupt(1));
    const [load] = loadsIn(lookAt(pod, pod.nowMs + 10_000));
    pod.take({ type: "loaded", loadId: load?.loadId ?? 0, read: { type: "shard", shard } });
    expect(pod.state.entries.get(upload.uploadId)).toMatchObject({ state: "durable", position });
    expect(pod.state.damaged.size).toBe(0);
  });

  test("survive a repair that the log has no room for", () => {
    const pod = holding(1);
    pod.take(corrupt(1));
    pod.hear("c0", podAppendOf(shardOf(uploadOf(1, { key: "0" }), 0), { purpose: "repair" }));
    pod.take({ type: "appendFailed", uploadId: upload.uploadId, shardIndex: 0, reason: "full" });
    expect(pod.state.damaged.has(upload.uploadId)).toBe(true);
    expect(pod.state.entries.get(upload.uploadId)?.state).toBe("known");
  });

  test("go with the upload when it is superseded, and their record is killed then", () => {
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

describe("many of them within minutes", () => {
  const many = 80;

  test("are correlated: the repair of the latest waits, and that of the first does not", () => {
    const pod = holding(many);
    for (const i of countTo(many)) pod.take(corrupt(i + 1));
    expect(damageReport(pod.state, pod.nowMs)).toMatchObject({ damagedCount: many, isCorrelated: true });
    const held = [...pod.state.damaged.values()].filter(({ heldUntilMs }) => heldUntilMs > 0);
    expect(held).toHaveLength(many - 64);
  });

  test("are repaired all the same once the damage has lasted, and count as correlated no more", () => {
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

  test("is believed to hold the shard, and asked again every minute", () => {
    const pod = holding(1);
    pod.take(unreadable);
    expect(pod.state.entries.get(upload.uploadId)?.state).toBe("durable");
    expect(loadsIn(lookAt(pod, pod.nowMs + 10_000))).toEqual([]);
    const [load] = loadsIn(lookAt(pod, pod.nowMs + 61_000));
    pod.take({ type: "loaded", loadId: load?.loadId ?? 0, read: { type: "shard", shard } });
    expect(damageReport(pod.state, pod.nowMs)).toMatchObject({ damagedCount: 0, unreadableCount: 0 });
  });

  test("has lost the shard when it has given none for as long as a fault may take to pass", () => {
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

test("a pod that is asked by all to promise a damaged upload away says so from then on", () => {
  const pod = settledPod(0, [{ ...loggedOf(shard), isDamaged: true }]);
  const probe = { type: "pod.probe", requestId: 1, upload, isCommitted: false } as const;
  expect(pod.hear("c0", { ...probe, refuse: "unknowing" })).toMatchObject([
    { message: { answer: "damaged" } },
  ]);
  expect(pod.hear("c0", { ...probe, refuse: "all" })).toMatchObject([{ type: "persistRefusal" }]);
  const promised = pod.take({ type: "refusalPersisted", uploadId: upload.uploadId });
  expect(promised).toMatchObject([{ message: { answer: "knownRefused" } }]);
});

test("a restart finds damaged shards as it left them", () => {
  const pod = settledPod(0, [{ ...loggedOf(shard), outcome: "committed", isDamaged: true }]);
  expect(pod.state.damaged.has(upload.uploadId)).toBe(true);
  const probe = { type: "pod.probe", requestId: 1, upload, refuse: "nobody", isCommitted: false } as const;
  expect(pod.hear("c0", probe)).toMatchObject([{ message: { answer: "damaged", isCommitted: true } }]);
});
