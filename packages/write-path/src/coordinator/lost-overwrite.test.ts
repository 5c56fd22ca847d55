/** An overwrite that failed and rots before its end is known: the acknowledged version below it must survive. */
import { describe, expect, test } from "vitest";
import type { CoordinatorEffect, PodEffect } from "../effects.ts";
import { type Address, type Message, podAddress, type StashMessage } from "../messages/index.ts";
import { quorumsOf, type Scheme, schemes } from "../scheme.ts";
import {
  countTo,
  greetedCoordinator,
  loggedOf,
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

/**
 * A coordinator and its pods. All pods hold the acknowledged version, k of them an overwrite that failed, and the shard
 * of pod 0 fails its checksum. The stash keeps nothing.
 */
function vaultInTest(scheme: Scheme) {
  const config = vaultOf(scheme);
  const { shardCount, decode } = quorumsOf(scheme);
  const coordinator = greetedCoordinator(config);
  const pods = countTo(shardCount).map((podIndex) => {
    const below = { ...loggedOf(shardOf(acknowledged, podIndex)), outcome: "complete" as const };
    const above = podIndex < decode ? [loggedOf(shardOf(failed, podIndex))] : [];
    return settledPod(podIndex, [below, ...above], [], [], config);
  });
  const answers: Extract<CoordinatorEffect, { type: "answerGet" | "answerList" }>[] = [];
  const dueTimers = new Set<string>();
  let isGarbled = true;

  function deliver(from: Address, to: Address, message: Message): void {
    if (to.startsWith("s")) answerOfStash(to, message as StashMessage);
    else if (to.startsWith("p")) carryOutOnPod(Number(to.slice(1)), podOf(to).hear(from, message));
    else carryOut(coordinator.hear(from, message));
  }

  const podOf = (address: Address) => pods[Number(address.slice(1))] as (typeof pods)[number];

  function answerOfStash(from: Address, message: StashMessage): void {
    const deviceId = Number(from.slice(1));
    if (message.type === "stash.probe") {
      const { requestId } = message;
      const nothing = { shardIndices: [], damagedIndices: [] };
      carryOut(coordinator.hear(from, { type: "coordinator.stashProbed", requestId, deviceId, ...nothing }));
    } else if (message.type === "stash.load") {
      const { requestId } = message;
      const nothing = { shards: [], missingReason: null };
      carryOut(coordinator.hear(from, { type: "coordinator.loaded", requestId, from, ...nothing }));
    }
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
      else if (effect.type === "persistRefusal") {
        const { uploadId } = effect.refusal;
        carryOutOnPod(podIndex, pod.take({ type: "refusalPersisted", uploadId }));
      } else if (effect.type === "flush") carryOutOnPod(podIndex, pod.take({ type: "flushed" }));
      else if (effect.type === "append") {
        const { shard } = effect;
        const { uploadId } = shard.upload;
        const position = placeOf(shard);
        carryOutOnPod(podIndex, pod.take({ type: "appended", uploadId, shardIndex: podIndex, position }));
      } else if (effect.type === "load") {
        const shard = [acknowledged, failed]
          .map((upload) => shardOf(upload, podIndex))
          .find((each) => placeOf(each) === effect.position);
        const isBad = shard === undefined || (isGarbled && podIndex === 0 && shard.upload === failed);
        const read = isBad ? ({ type: "corrupt" } as const) : ({ type: "shard", shard } as const);
        carryOutOnPod(podIndex, pod.take({ type: "loaded", loadId: effect.loadId, read }));
      }
    }
  }

  function passHalfSecond(): void {
    coordinator.nowMs += 500;
    const keys = [...dueTimers];
    dueTimers.clear();
    for (const timer of keys) carryOut(coordinator.take({ type: "timer", key: timer }));
  }

  pods[0]?.take({ type: "corrupt", uploadId: failed.uploadId, shardIndex: 0 });

  return {
    coordinator,
    pods,
    answerTo(event: Parameters<typeof coordinator.take>[0]) {
      carryOut(coordinator.take(event));
      while (answers.length === 0) passHalfSecond();
      return answers.shift()?.outcome;
    },
    /** A pod asks how the overwrite ended. */
    resolve(): void {
      carryOut(coordinator.hear("p1", { type: "coordinator.resolve", upload: failed }));
      while (coordinator.state.resolutions.size > 0) passHalfSecond();
    },
    /** A pod on an empty drive learns of both versions from its peers. */
    replaceDrive(podIndex: number): void {
      pods[podIndex] = settledPod(podIndex, [], [], [acknowledged, failed], config);
    },
    readRightAgain(): void {
      isGarbled = false;
    },
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
const list = { type: "list", token: 1, bucket, prefix: "", after: "", keyCountMax: 10 } as const;

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

  test("is committed and brought to all pods once the shard reads right again", () => {
    const vault = vaultInTest(scheme);
    vault.answerTo(get);
    vault.readRightAgain();
    expect(vault.answerTo(get)).toMatchObject({ type: "found", upload: failed });
    vault.resolve();
    expect(vault.outcomesOf(failed)).toEqual(all.map(() => "complete"));
    expect(vault.holdersOf(acknowledged)).toEqual([]);
    expect(vault.coordinator.state.lost.size).toBe(0);
  });

  test("is dead, and the acknowledged version is read, once a drive with its evidence is lost", () => {
    const vault = vaultInTest(scheme);
    vault.answerTo(get);
    vault.replaceDrive(1);
    expect(vault.answerTo(get)).toMatchObject({ type: "found", upload: acknowledged });
    expect(vault.coordinator.state.lost.size).toBe(0);
  });
});
