/** One upload at its coordinator, and the answers of pods and devices to it. */
import assert from "node:assert/strict";
import type { CoordinatorOptions } from "../coordinator/state.ts";
import type { CoordinatorEffect, PutOutcome, PutRequest } from "../effects.ts";
import { type AppendRefusal, type CoordinatorMessage, podAddress, stashAddress } from "../messages/index.ts";
import type { VaultConfig } from "../placement.ts";
import { quorumsOf, type Scheme } from "../quorums.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import { greetedCoordinator, messagesOf } from "./machines.ts";
import { putOf, twoPlusOne, uploadIdOf, vaultOf } from "./samples.ts";

export interface PutCase {
  readonly scheme?: Scheme;
  readonly config?: VaultConfig;
  readonly options?: Partial<CoordinatorOptions>;
  readonly request?: Partial<PutRequest>;
}

export const outcomesIn = (effects: readonly CoordinatorEffect[]): PutOutcome[] =>
  effects.flatMap((effect) => (effect.type === "answerPut" ? [effect.outcome] : []));

/** A coordinator that has just received upload 7. */
export function startedPut({
  scheme = twoPlusOne,
  config = vaultOf(scheme),
  options,
  request,
}: PutCase = {}) {
  const coordinator = greetedCoordinator(config, options);
  coordinator.nowMs = 1000;
  const uploadId = uploadIdOf(7);
  const effects = coordinator.take(putOf(7, scheme, request));
  const attempt = coordinator.state.puts.get(uploadId);
  const placement = attempt?.placement ?? [];

  function appendedOn(podIndex: number, result: "written" | "durable" = "written", bootId = 1) {
    const message = { type: "coordinator.podAppended", uploadId, podIndex, bootId, result } as const;
    return coordinator.hear(podAddress(podIndex), message);
  }

  function refusedBy(
    podIndex: number,
    reason: AppendRefusal,
    more: Partial<Extract<CoordinatorMessage, { type: "coordinator.podRefused" }>> = {},
  ) {
    const type = "coordinator.podRefused";
    const none = { present: null, highestOrder: LOWEST_ORDER };
    const message = { type, uploadId, podIndex, bootId: 1, reason, ...none, ...more } as const;
    return coordinator.hear(podAddress(podIndex), message);
  }

  function onStash(shardIndex: number, result: "durable" | "full" | "rebooted" | "failed" = "durable") {
    const deviceId = placement[shardIndex] ?? -1;
    const type = "coordinator.stashAppended";
    const message = { type, uploadId, shardIndex, deviceId, result, podBootId: 1 } as const;
    return coordinator.hear(stashAddress(deviceId), message);
  }

  function confirmedBy(podIndex: number, bootId = 1) {
    const message = { type: "coordinator.confirmed", uploadId, podIndex, bootId } as const;
    return coordinator.hear(podAddress(podIndex), message);
  }

  function timeout(afterMs: number) {
    coordinator.nowMs += afterMs;
    return coordinator.take({ type: "timer", key: `put:${uploadId}` });
  }

  const quorums = quorumsOf(scheme);
  const upload = attempt?.upload;
  if (!upload) throw new Error("The coordinator keeps no upload 7.");
  return {
    coordinator,
    effects,
    attempt,
    upload,
    uploadId,
    placement,
    quorums,
    appendedOn,
    refusedBy,
    onStash,
    confirmedBy,
    timeout,
  };
}

export type PutInTest = ReturnType<typeof startedPut>;

/** An answer: `pod 3 has written` or `shard 3 is durable on the stash`. */
export type PutAnswer = readonly ["pod" | "stash", number];

/**
 * Gives the coordinator these answers one by one, and checks after each that it has acknowledged if and only if q pods
 * have written, q shards are durable, and no shard relies only on the page cache of an unconfirmed pod.
 */
export function expectAckExactlyAtQuorum(
  scheme: Scheme,
  answers: readonly PutAnswer[],
  isConfirming: boolean,
) {
  const put = startedPut({ scheme });
  const { acknowledge, shardCount } = put.quorums;
  const written = new Set<number>();
  const durable = new Set<number>();
  const confirmed = new Set<number>();
  const asked = new Set<number>();
  const outcomes: PutOutcome[] = [];
  const take = (effects: readonly CoordinatorEffect[]): void => {
    outcomes.push(...outcomesIn(effects));
    for (const { message, to } of messagesOf(effects, "pod.confirm")) {
      assert.deepEqual([message.uploadId, message.bootId], [put.uploadId, 1]);
      asked.add(Number(to.slice(1)));
    }
  };
  for (const [node, index] of answers) {
    (node === "pod" ? written : durable).add(index);
    take(node === "pod" ? put.appendedOn(index) : put.onStash(index));
    const resting = [...written].filter((podIndex) => !durable.has(podIndex));
    const hasQuorums = written.size >= acknowledge && durable.size >= acknowledge;
    if (isConfirming && hasQuorums && outcomes.length === 0) {
      for (const podIndex of resting) {
        assert(asked.has(podIndex), `pod ${podIndex} was not asked to confirm`);
        confirmed.add(podIndex);
        take(put.confirmedBy(podIndex));
      }
    }
    const isSure = written.size === shardCount || resting.every((podIndex) => confirmed.has(podIndex));
    assert.equal(outcomes.length, hasQuorums && isSure ? 1 : 0, `after ${node} ${index}`);
  }
  for (const outcome of outcomes)
    assert.deepEqual(outcome, { type: "stored", path: "stash", upload: put.upload });
  return { isStored: outcomes.length === 1, asked };
}

/** Returns all permutations of the list. */
export function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
