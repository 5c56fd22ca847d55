/**
 * Tests an overwrite that failed and rots before its outcome is known: the acknowledged version below it must survive.
 */
import { describe, expect, test } from "vitest";
import type { CoordinatorEffect, PodEffect, PodEvent } from "../effects.ts";
import {
  type Address,
  type CoordinatorMessage,
  type Message,
  podAddress,
  type StashMessage,
} from "../messages/index.ts";
import { quorumsOf, type Scheme, schemes } from "../quorums.ts";
import {
  appended,
  type CoordinatorMachine,
  countTo,
  greetedCoordinator,
  loggedOf,
  type PodMachine,
  placeOf,
  settledPod,
  shardOf,
  threePlusTwo,
  uploadOf,
  vaultOf,
} from "../testing/index.ts";

const acknowledged = uploadOf(1);
const failed = uploadOf(2);
const { bucket, key } = failed;

function podsAfterFailedOverwrite(scheme: Scheme): PodMachine[] {
  const { shardCount, decode } = quorumsOf(scheme);
  return countTo(shardCount).map((podIndex) => {
    const below = { ...loggedOf(shardOf(acknowledged, podIndex)), outcome: "complete" as const };
    const above = podIndex < decode ? [loggedOf(shardOf(failed, podIndex))] : [];
    return settledPod(podIndex, [below, ...above], [], [], vaultOf(scheme));
  });
}

/** Returns the event that a pod receives once its own effect is carried out; null for effects that cause none. */
function endOfPodEffect(
  effect: PodEffect<string>,
  podIndex: number,
  isGarbled: boolean,
): PodEvent<string> | null {
  switch (effect.type) {
    case "persistRefusal":
      return { type: "refusalPersisted", uploadId: effect.refusal.uploadId };
    case "flush":
      return { type: "flushed" };
    case "append":
      return appended(effect.shard);
    case "load": {
      const shard = [acknowledged, failed]
        .map((upload) => shardOf(upload, podIndex))
        .find((each) => placeOf(each) === effect.position);
      const isBad = shard === undefined || (isGarbled && podIndex === 0 && shard.upload === failed);
      const read = isBad ? ({ type: "corrupt" } as const) : ({ type: "shard", shard } as const);
      return { type: "loaded", loadId: effect.loadId, read };
    }
    default:
      return null;
  }
}

/** Answers as a stash that keeps nothing; null for messages without an answer. */
function emptyStashAnswer(from: Address, message: StashMessage): CoordinatorMessage | null {
  if (message.type === "stash.probe") {
    const { requestId } = message;
    const nothing = { shardIndices: [], damagedIndices: [] };
    return { type: "coordinator.stashProbed", requestId, deviceId: Number(from.slice(1)), ...nothing };
  }
  if (message.type !== "stash.load") return null;
  return { type: "coordinator.loaded", requestId: message.requestId, from, shards: [], missingReason: null };
}

/** Delivers messages between the machines and carries out their other effects. */
function connect(coordinator: CoordinatorMachine, pods: readonly PodMachine[]) {
  const answers: Extract<CoordinatorEffect, { type: "answerGet" | "answerList" }>[] = [];
  const dueTimers = new Set<string>();
  let isGarbled = true;

  function deliver(from: Address, to: Address, message: Message): void {
    if (to.startsWith("s")) answerOfStash(to, message as StashMessage);
    else if (to.startsWith("p")) carryOutOnPod(Number(to.slice(1)), podOf(to).hear(from, message));
    else carryOut(coordinator.hear(from, message));
  }

  const podOf = (address: Address) => pods[Number(address.slice(1))] as PodMachine;

  function answerOfStash(from: Address, message: StashMessage): void {
    const answer = emptyStashAnswer(from, message);
    if (answer !== null) carryOut(coordinator.hear(from, answer));
  }

  function carryOut(effects: readonly CoordinatorEffect[]): void {
    for (const effect of effects) {
      if (effect.type === "send") deliver("c0", effect.to, effect.message);
      else if (effect.type === "setTimer") dueTimers.add(effect.key);
      else if (effect.type === "answerGet" || effect.type === "answerList") answers.push(effect);
      else if (effect.type === "reconstruct") {
        const shards = effect.missing.map((podIndex) => shardOf(failed, podIndex));
        carryOut(coordinator.take({ type: "reconstructed", uploadId: effect.uploadId, shards }));
      }
    }
  }

  function carryOutOnPod(podIndex: number, effects: readonly PodEffect<string>[]): void {
    const pod = podOf(podAddress(podIndex));
    for (const effect of effects) {
      if (effect.type === "send") deliver(podAddress(podIndex), effect.to, effect.message);
      else {
        const event = endOfPodEffect(effect, podIndex, isGarbled);
        if (event !== null) carryOutOnPod(podIndex, pod.take(event));
      }
    }
  }

  function passHalfSecond(): void {
    coordinator.nowMs += 500;
    const keys = [...dueTimers];
    dueTimers.clear();
    for (const timer of keys) carryOut(coordinator.take({ type: "timer", key: timer }));
  }

  return {
    answers,
    carryOut,
    passHalfSecond,
    readRightAgain(): void {
      isGarbled = false;
    },
  };
}

/**
 * A coordinator and its pods. All pods hold the acknowledged version, k of them also a failed overwrite, and the shard
 * on pod 0 fails its checksum. The stash keeps nothing.
 */
function vaultInTest(scheme: Scheme) {
  const config = vaultOf(scheme);
  const { shardCount } = quorumsOf(scheme);
  const coordinator = greetedCoordinator(config);
  const pods = podsAfterFailedOverwrite(scheme);
  const network = connect(coordinator, pods);
  pods[0]?.take({ type: "corrupt", uploadId: failed.uploadId, shardIndex: 0 });

  return {
    coordinator,
    pods,
    answerTo(event: Parameters<typeof coordinator.take>[0]) {
      network.carryOut(coordinator.take(event));
      while (network.answers.length === 0) network.passHalfSecond();
      return network.answers.shift()?.outcome;
    },
    /** Lets a pod ask how the overwrite ended. */
    resolve(): void {
      network.carryOut(coordinator.hear("p1", { type: "coordinator.resolve", upload: failed }));
      while (coordinator.state.resolutions.size > 0) network.passHalfSecond();
    },
    /** Replaces a pod's drive with an empty one, which learns of both versions from its peers. */
    replaceDrive(podIndex: number): void {
      pods[podIndex] = settledPod(podIndex, [], [], [acknowledged, failed], config);
    },
    readRightAgain: network.readRightAgain,
    holdersOf: ({ uploadId }: typeof failed) =>
      countTo(shardCount).filter(
        (podIndex) => pods[podIndex]?.state.entries.get(uploadId)?.state === "durable",
      ),
    outcomesOf: ({ uploadId }: typeof failed) =>
      pods.map(({ state }) => state.entries.get(uploadId)?.outcome),
  };
}

const get = { type: "get", token: 1, bucket, key, headOnly: false } as const;
const head = { ...get, headOnly: true } as const;
const list = {
  type: "list",
  token: 1,
  bucket,
  prefix: "",
  after: "",
  keyCountMax: 10,
  delimiter: "",
} as const;

describe.each([
  ["3+2", threePlusTwo],
  ["16+4", schemes["16+4"]],
] as const)("a failed overwrite with k durable shards, one of them damaged, at %s", (_name, scheme) => {
  const all = countTo(quorumsOf(scheme).shardCount);

  test("is shown as lost, and leaves the acknowledged version on all pods", () => {
    const vault = vaultInTest(scheme);
    expect(vault.answerTo(get)).toMatchObject({ type: "undecodable", shortage: { upload: failed } });
    expect(vault.answerTo(head)).toMatchObject({ type: "found", upload: failed });
    expect(vault.answerTo(list)).toMatchObject({ type: "listed", uploads: [failed] });
    expect(vault.coordinator.state.lost.has(failed.uploadId)).toBe(true);
    expect(vault.holdersOf(acknowledged)).toEqual(all);
    expect(vault.outcomesOf(failed).filter((outcome) => outcome)).toEqual([]);
  });

  test("is committed and written to all pods once the shard is readable again", () => {
    const vault = vaultInTest(scheme);
    vault.answerTo(get);
    vault.readRightAgain();
    expect(vault.answerTo(get)).toMatchObject({ type: "found", upload: failed });
    vault.resolve();
    expect(vault.outcomesOf(failed)).toEqual(all.map(() => "complete"));
    expect(vault.holdersOf(acknowledged)).toEqual([]);
    expect(vault.coordinator.state.lost.size).toBe(0);
  });

  test("is dead, and reads return the acknowledged version, once a drive with its evidence is lost", () => {
    const vault = vaultInTest(scheme);
    vault.answerTo(get);
    vault.replaceDrive(1);
    expect(vault.answerTo(get)).toMatchObject({ type: "found", upload: acknowledged });
    expect(vault.coordinator.state.lost.size).toBe(0);
  });
});
