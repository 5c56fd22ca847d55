/** Tests many lost objects: pods keep asking about each, while repairs of other objects proceed. */
import { expect, test } from "vitest";
import type { CoordinatorEffect } from "../effects.ts";
import {
  type Address,
  type CoordinatorMessage,
  type PodMessage,
  type PodProbeAnswer,
  podAddress,
  type StashMessage,
  stashAddress,
} from "../messages/index.ts";
import type { UploadHeader } from "../shard.ts";
import { countTo, greetedCoordinator, shardOf, threePlusTwo, uploadOf, vaultOf } from "../testing/index.ts";
import { LOWEST_ORDER } from "../version-order.ts";

const MINUTE_MS = 60_000;
const STEP_MS = 500;
/** Initial interval at which pods ask about each upload; it grows each time. */
const ASK_EVERY_MS = 4000;

/** A coordinator of 3+2 whose five pods and devices answer at once. Devices keep nothing. */
function vaultInTest() {
  const coordinator = greetedCoordinator(vaultOf(threePlusTwo));
  /** Answers of the pods about an upload. */
  const answers = new Map<string, PodProbeAnswer[]>();
  const sentCounts = new Map<string, number>();
  const dueTimers = new Set<string>();

  function carryOut(effects: readonly CoordinatorEffect[], uploadId: string): void {
    for (const effect of effects) {
      if (effect.type === "setTimer") dueTimers.add(effect.key);
      else if (effect.type === "reconstruct") {
        const { upload } = effect.shards[0] ?? {};
        if (upload === undefined) continue;
        const shards = effect.missing.map((podIndex) => shardOf(upload, podIndex));
        carryOut(coordinator.take({ type: "reconstructed", uploadId, shards }), uploadId);
      } else if (effect.type === "send") {
        sentCounts.set(uploadId, (sentCounts.get(uploadId) ?? 0) + 1);
        const answer = answerTo(effect.to, effect.message as PodMessage | StashMessage);
        if (answer !== null) carryOut(coordinator.hear(effect.to, answer), uploadId);
      }
    }
  }

  function answerTo(to: Address, message: PodMessage | StashMessage): CoordinatorMessage | null {
    const id = Number(to.slice(1));
    if (message.type === "stash.probe") {
      const { requestId } = message;
      const none = { shardIndices: [], damagedIndices: [] };
      return { type: "coordinator.stashProbed", requestId, deviceId: id, ...none };
    }
    if (message.type === "stash.load" || message.type === "pod.load") {
      const { requestId, uploadId } = message;
      const isHeld = message.type === "pod.load" && answers.get(uploadId)?.[id] === "durable";
      const shards = isHeld ? [shardOf(uploadOf(Number.parseInt(uploadId, 16)), id)] : [];
      return { type: "coordinator.loaded", requestId, from: to, shards, missingReason: null };
    }
    if (message.type === "pod.probe") {
      const { requestId, upload } = message;
      const answer = answers.get(upload.uploadId)?.[id] ?? "absent";
      const speaker = { requestId, podIndex: id, bootId: 1, isSettled: true };
      const isCommitted = answer !== "absent";
      return { type: "coordinator.probed", ...speaker, answer, committedOrder: LOWEST_ORDER, isCommitted };
    }
    if (message.type !== "pod.append") return null;
    const { uploadId } = message.shard.upload;
    answers.get(uploadId)?.splice(id, 1, "durable");
    return { type: "coordinator.podAppended", uploadId, podIndex: id, bootId: 1, result: "durable" };
  }

  return {
    coordinator,
    answers,
    sentCounts,
    ask(upload: UploadHeader, podIndex = 0): void {
      carryOut(
        coordinator.hear(podAddress(podIndex), { type: "coordinator.resolve", upload }),
        upload.uploadId,
      );
    },
    /** Lets half a second pass. */
    pass(): void {
      coordinator.nowMs += STEP_MS;
      const keys = [...dueTimers];
      dueTimers.clear();
      for (const key of keys)
        carryOut(coordinator.take({ type: "timer", key }), key.slice("resolve:".length));
    },
  };
}

const damagedOn = (damagedCount: number): PodProbeAnswer[] =>
  countTo(5).map((podIndex) => (podIndex < damagedCount ? "damaged" : "durable"));

test("a backlog of 300 lost objects leaves capacity for the repair of another", () => {
  const { answers, ask, pass, coordinator } = vaultInTest();
  const lost = countTo(300).map((i) => uploadOf(100 + i));
  const repairable = uploadOf(7);
  for (const { uploadId } of lost) answers.set(uploadId, damagedOn(3));
  answers.set(repairable.uploadId, damagedOn(2));
  for (const upload of [...lost, repairable]) ask(upload);
  pass();
  expect(answers.get(repairable.uploadId)).toEqual(damagedOn(0));
  expect(coordinator.state.resolutions.size).toBe(0);
  expect(coordinator.state.lost.size).toBe(300);
});

test("a lost object costs two rounds of queries per minute, although all pods keep asking about it", () => {
  const { answers, ask, pass, sentCounts } = vaultInTest();
  const lost = countTo(300).map((i) => uploadOf(100 + i));
  for (const { uploadId } of lost) answers.set(uploadId, damagedOn(3));
  for (let elapsedMs = 0; elapsedMs < MINUTE_MS; elapsedMs += STEP_MS) {
    if (elapsedMs % ASK_EVERY_MS === 0) {
      for (const upload of lost) for (const podIndex of countTo(5)) ask(upload, podIndex);
    }
    pass();
  }
  // A probe to each pod and device, and the note to each pod that the upload is committed.
  const lookCost = 5 + 5 + 5;
  expect([...new Set(sentCounts.values())]).toEqual([2 * lookCost]);
});

test("a lost object is rebuilt within a minute of the return of the drives", () => {
  const { answers, ask, pass, coordinator } = vaultInTest();
  const upload = uploadOf(7);
  answers.set(upload.uploadId, damagedOn(3));
  ask(upload);
  expect(coordinator.state.lost.size).toBe(1);
  answers.set(upload.uploadId, damagedOn(2));
  for (let elapsedMs = 0; elapsedMs < MINUTE_MS; elapsedMs += STEP_MS) {
    if (elapsedMs % ASK_EVERY_MS === 0) ask(upload);
    pass();
  }
  expect(answers.get(upload.uploadId)).toEqual(damagedOn(0));
  expect(coordinator.state.lost.size).toBe(0);
});

test("an object whose rebuild needs a silent pod is not asked about again once the others have answered", () => {
  const { coordinator, answers } = vaultInTest();
  const upload = uploadOf(7);
  answers.set(upload.uploadId, damagedOn(4));
  coordinator.hear(podAddress(0), { type: "coordinator.resolve", upload });
  const requestId = coordinator.state.resolutions.get(upload.uploadId)?.requestId ?? -1;
  const hear = (podIndex: number) =>
    coordinator.hear(podAddress(podIndex), {
      type: "coordinator.probed",
      requestId,
      podIndex,
      bootId: 1,
      isSettled: true,
      answer: podIndex < 3 ? "damaged" : "durable",
      committedOrder: LOWEST_ORDER,
      isCommitted: true,
    });
  for (const deviceId of countTo(5)) {
    coordinator.hear(stashAddress(deviceId), {
      type: "coordinator.stashProbed",
      requestId,
      deviceId,
      shardIndices: [],
      damagedIndices: [],
    });
  }
  for (const podIndex of countTo(4)) hear(podIndex);
  expect(coordinator.state.resolutions.size).toBe(1);
  coordinator.nowMs += STEP_MS;
  coordinator.take({ type: "timer", key: `resolve:${upload.uploadId}` });
  expect(coordinator.state.resolutions.size).toBe(0);
  // Pod 4 has not answered, so the object is not registered as lost.
  expect(coordinator.state.lost.size).toBe(0);
});
