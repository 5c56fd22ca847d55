/** Machines in the state in which most tests begin, and helpers for the messages they sent. */
import assert from "node:assert/strict";
import { expect } from "vitest";
import { type CoordinatorOptions, createCoordinator, SMALL_UPLOAD_BYTES_MAX } from "../coordinator/state.ts";
import { stepCoordinator } from "../coordinator/step.ts";
import { addToDigests, createDigests, filledBuckets, fingerprintOf } from "../digest.ts";
import type { LogEvent, LoggedShard, PodEvent, Refusal } from "../effects.ts";
import { type Address, type Message, podAddress, stashAddress } from "../messages/index.ts";
import type { VaultConfig } from "../placement.ts";
import { createPod, type PodState } from "../pod/state.ts";
import { stepPod } from "../pod/step.ts";
import type { Shard, UploadHeader } from "../shard.ts";
import { createStash, type StashState } from "../stash/state.ts";
import { stepStash } from "../stash/step.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import { countTo, identityOf, placeOf, vaultOf, withRoom } from "./samples.ts";

type MessageEvent = { readonly type: "message"; readonly from: Address; readonly message: Message };

export interface Machine<State, Event, Effect> {
  readonly state: State;
  /** Clock of the machine, which tests move. */
  nowMs: number;
  take(event: Event | MessageEvent): Effect[];
  hear(from: Address, message: Message): Effect[];
}

function machineOf<State, Event, Effect>(
  state: State,
  step: (state: State, event: Event | MessageEvent, nowMs: number) => Effect[],
): Machine<State, Event, Effect> {
  return {
    state,
    nowMs: 0,
    take(event) {
      return step(state, event, this.nowMs);
    },
    hear(from, message) {
      return this.take({ type: "message", from, message });
    },
  };
}

export type StashMachine = ReturnType<typeof servingStash>;
export type PodMachine = ReturnType<typeof settledPod>;
export type CoordinatorMachine = ReturnType<typeof greetedCoordinator>;

/** A device that has read its log but answers no node yet, because no pod has announced itself. */
export function startedStash(shards: readonly LoggedShard<string>[] = [], config: VaultConfig = vaultOf()) {
  const stash = machineOf(createStash<string>({ deviceId: 0, config }), stepStash<string>);
  stash.take({ type: "recovered", shards });
  return stash;
}

/** Device 0 of the vault, to which every pod has announced its first boot. */
export function servingStash(shards: readonly LoggedShard<string>[] = [], config: VaultConfig = vaultOf()) {
  const stash = startedStash(shards, config);
  for (const podIndex of config.podDriveIds.keys()) {
    stash.hear(podAddress(podIndex), { type: "stash.pull", pod: identityOf(podIndex), cursor: 0 });
  }
  // Drops the reads for those first pulls, which are irrelevant.
  for (const loadId of stash.state.loads.keys()) stash.state.loads.delete(loadId);
  return stash;
}

/** A pod that has read its log, and knows nothing from its peers or the stash yet. */
export function startedPod(
  podIndex = 0,
  shards: readonly LoggedShard<string>[] = [],
  refusals: readonly Refusal[] = [],
  config: VaultConfig = vaultOf(),
) {
  const pod = machineOf<PodState<string>, PodEvent<string>, ReturnType<typeof stepPod<string>>[number]>(
    createPod<string>(config, podIndex),
    stepPod<string>,
  );
  const horizon = LOWEST_ORDER;
  pod.take({ type: "recovered", identity: identityOf(podIndex), shards, refusals, horizon });
  return pod;
}

/** Lets every device report that it keeps nothing (more) for this pod. */
export function finishReplay(pod: Machine<PodState<string>, PodEvent<string>, unknown>): void {
  const { bootId } = pod.state.identity;
  for (const { deviceId } of pod.state.config.stashDevices) {
    const cursor = pod.state.pulls.get(deviceId)?.cursor ?? 0;
    pod.hear(stashAddress(deviceId), {
      type: "pod.handoff",
      deviceId,
      bootId,
      shards: [],
      damaged: [],
      cursor,
      isLast: true,
    });
  }
}

/** Returns the index digests of a peer that holds these uploads. */
export function digestsOf(from: number, uploads: readonly UploadHeader[] = [], bootId = 1) {
  const digests = createDigests();
  for (const { uploadId } of uploads) addToDigests(digests, fingerprintOf(uploadId));
  return {
    type: "pod.digests",
    from,
    fromBootId: 1,
    bootId,
    isReplayed: true,
    horizon: LOWEST_ORDER,
    digests: filledBuckets(digests),
  } as const;
}

/** Returns the index of a peer that holds these uploads, in one page. */
export function indexPageOf(from: number, uploads: readonly UploadHeader[] = [], bootId = 1) {
  const isReplayed = true;
  return {
    type: "pod.indexPage",
    from,
    fromBootId: 1,
    bootId,
    isReplayed,
    horizon: LOWEST_ORDER,
    after: 0,
    next: uploads.length,
    uploads,
    isLast: true,
  } as const;
}

/** Lets a peer that holds these uploads answer all of the pod's questions. */
export function compareWith(
  pod: Machine<PodState<string>, PodEvent<string>, unknown>,
  peer: number,
  uploads: readonly UploadHeader[] = [],
): void {
  pod.hear(podAddress(peer), digestsOf(peer, uploads));
  pod.hear(podAddress(peer), indexPageOf(peer, uploads));
  const isDoubting = () => pod.state.comparisons.get(peer)?.doubting != null;
  while (isDoubting()) pod.take({ type: "timer", key: `doubt:${peer}` });
}

/** A settled pod; `known` are uploads that its peers reported. */
export function settledPod(
  podIndex = 0,
  shards: readonly LoggedShard<string>[] = [],
  refusals: readonly Refusal[] = [],
  known: readonly UploadHeader[] = [],
  config: VaultConfig = vaultOf(),
) {
  const pod = startedPod(podIndex, shards, refusals, config);
  finishReplay(pod);
  for (const peer of countTo(config.podDriveIds.length)) {
    if (peer !== podIndex) compareWith(pod, peer, known);
  }
  assert.equal(pod.state.lifecycle, "settled");
  return pod;
}

/** A coordinator that knows every pod's first boot, and that all are settled. */
export function greetedCoordinator(
  config: VaultConfig = vaultOf(),
  changes: Partial<CoordinatorOptions> = {},
) {
  const options = { bootId: 1, config, smallUploadBytesMax: SMALL_UPLOAD_BYTES_MAX };
  const state = createCoordinator({ ...options, isStashEnabled: true, firstRequestId: 100, ...changes });
  const coordinator = machineOf(state, stepCoordinator);
  for (const podIndex of config.podDriveIds.keys()) {
    const message = {
      type: "coordinator.hello",
      pod: identityOf(podIndex),
      isSettled: true,
      ...withRoom,
    } as const;
    coordinator.hear(podAddress(podIndex), message);
  }
  return coordinator;
}

/** Reports that the log has written this shard. */
export function appended(shard: Shard, position = placeOf(shard)): LogEvent<string> {
  return { type: "appended", uploadId: shard.upload.uploadId, shardIndex: shard.shardIndex, position };
}

export function appendFailed(shard: Shard, reason: "full" | "failed" | "refused"): LogEvent<string> {
  return { type: "appendFailed", uploadId: shard.upload.uploadId, shardIndex: shard.shardIndex, reason };
}

export function killed(shard: Shard, position = placeOf(shard)) {
  const { upload, shardIndex } = shard;
  return { type: "kill", uploadId: upload.uploadId, shardIndex, position } as const;
}

/** Returns the messages of one type among the effects, with their recipients. */
export function messagesOf<Type extends Message["type"]>(
  effects: readonly { readonly type: string }[],
  type: Type,
): { to: Address; message: Extract<Message, { type: Type }> }[] {
  return (effects as readonly { type: string; to: Address; message: Message }[])
    .filter((effect) => effect.type === "send" && effect.message.type === type)
    .map(({ to, message }) => ({ to, message: message as Extract<Message, { type: Type }> }));
}

export function addresseesOf(
  effects: readonly { readonly type: string }[],
  type: Message["type"],
): Address[] {
  return messagesOf(effects, type).map(({ to }) => to);
}

type Counting = { readonly state: { readonly refusals: ReadonlyMap<string, number> } };

/** Copies everything a machine knows except its counts of refusals. */
export function snapshotOf({ state }: Counting): unknown {
  const { refusals, ...rest } = state as StashState<string>;
  const sizes = [rest.purgedEarly?.size, rest.deadUploads?.size];
  return { sizes, ...structuredClone(rest) };
}

/** Asserts that `act` counts one refusal for this reason and changes nothing else. Returns its result. */
export function expectRefusal<Effect>(machine: Counting, reason: string, act: () => Effect[]): Effect[] {
  const before = snapshotOf(machine);
  const counts = new Map(machine.state.refusals);
  const effects = act();
  expect(snapshotOf(machine)).toEqual(before);
  expect(machine.state.refusals).toEqual(counts.set(reason, (counts.get(reason) ?? 0) + 1));
  return effects;
}
