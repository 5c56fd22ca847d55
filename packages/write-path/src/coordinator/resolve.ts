/**
 * How an upload ended, when its author did not say so or is gone: a reader met it, a pod asks about it, or its author
 * gave it up. The answer never changes once given, because the two proofs exclude each other:
 *
 *  - *live*: a pod was told that it is committed, or k pods hold it durably. Then m pods are left, and m + 1 promises
 *    can never be gathered. It is shown once no more than one pod that answers lacks it.
 *  - *dead*: m + 1 pods have durably promised never to take it, and it was never acknowledged or shown before they did.
 *    Before that is told, the others let go of it for this proof and promise too, until there are 2m promises: m + 1
 *    of them outlive the loss of m - 1 drives, and no stash device that has forgotten the end can bring it back.
 *    A pod that never knew the upload may promise at once: an acknowledged upload lacks one pod, a shown one m. A pod
 *    that knows it, and may have lost its shard, is asked only after every stash device and then every pod has been
 *    counted, in this order because shards move from stash to pod, and fewer than k shards were found altogether.
 *
 * In between, a resolution pushes: it makes durable what is written, rebuilds what is missing from any k shards of pods
 * and stash, and only asks for promises when fewer than k can be found, or when the author gave it up. What can be
 * neither proved nor pushed, because too many nodes are silent, stays unknown, and readers are told to come again.
 */
import type { CoordinatorEffect } from "../effects.ts";
import { type CoordinatorMessage, podAddress, stashAddress } from "../messages.ts";
import type { Shard, UploadHeader, UploadId } from "../shard.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import {
  type CoordinatorState,
  type Resolution,
  type ResolutionWaiter,
  shardsOf,
  toAllDevices,
  toAllPods,
  type UploadEnd,
} from "./state.ts";
import { hasPromised, isFinal, type Tally, tally } from "./tally.ts";

type Received<Type extends CoordinatorMessage["type"]> = Extract<CoordinatorMessage, { type: Type }>;

const ASK_AGAIN_MS = 500;
export const RESOLVE_DEADLINE_MS = 8000;

/** Starts, or joins, the resolution of an upload. `isUnwanted`: its author would rather see it dead. */
export function resolve(
  state: CoordinatorState,
  upload: UploadHeader,
  waiter: ResolutionWaiter | null,
  isUnwanted: boolean,
  nowMs: number,
): CoordinatorEffect[] {
  const running = state.resolutions.get(upload.uploadId);
  if (running) {
    if (waiter) running.waiters.push(waiter);
    return [];
  }
  const resolution: Resolution = {
    upload,
    phase: "probing",
    refuse: isUnwanted ? "unknowing" : "nobody",
    supersededBy: LOWEST_ORDER,
    requestId: state.nextId++,
    startedMs: nowMs,
    pods: new Map(),
    isCommitted: false,
    isNoted: false,
    isRecounting: false,
    stash: new Map(),
    shards: new Map(),
    isRebuilding: false,
    waiters: waiter ? [waiter] : [],
  };
  state.resolutions.set(upload.uploadId, resolution);
  state.resolutionByRequest.set(resolution.requestId, upload.uploadId);
  return [...probe(state, resolution), timer(upload.uploadId)];
}

function timer(uploadId: UploadId): CoordinatorEffect {
  return { type: "setTimer", key: `resolve:${uploadId}`, delayMs: ASK_AGAIN_MS };
}

function probe(state: CoordinatorState, resolution: Resolution): CoordinatorEffect[] {
  const { upload, requestId, refuse } = resolution;
  const { uploadId } = upload;
  return [
    ...(resolution.phase === "burying" ? askToLetGo(state, resolution) : []),
    ...toAllPods(state, { type: "pod.probe", requestId, upload, flush: true, refuse }),
    ...toAllDevices(state, { type: "stash.probe", requestId, uploadId }),
  ];
}

function resolutionOf(state: CoordinatorState, requestId: number): Resolution | undefined {
  const uploadId = state.resolutionByRequest.get(requestId);
  return uploadId === undefined ? undefined : state.resolutions.get(uploadId);
}

export function probed(
  state: CoordinatorState,
  message: Received<"coordinator.probed">,
  nowMs: number,
): CoordinatorEffect[] {
  const { podIndex, bootId, answer, isSettled, isCommitted, committedOrder } = message;
  const resolution = resolutionOf(state, message.requestId);
  if (!resolution) return [];
  if (committedOrder > resolution.supersededBy) resolution.supersededBy = committedOrder;
  const known = resolution.pods.get(podIndex);
  if (known && (known.bootId > bootId || (known.bootId === bootId && isFinal(known.answer, answer))))
    return [];
  resolution.pods.set(podIndex, { answer, isSettled, bootId });
  resolution.isCommitted ||= isCommitted;
  return judge(state, resolution, nowMs);
}

/** A pod has started again, perhaps on another drive: what it answered before counts no more, and it is asked anew. */
export function forgetAnswersOf(
  state: CoordinatorState,
  podIndex: number,
  bootId: number,
): CoordinatorEffect[] {
  return [...state.resolutions.values()].flatMap((resolution): CoordinatorEffect[] => {
    const known = resolution.pods.get(podIndex);
    if (!known || known.bootId >= bootId) return [];
    resolution.pods.delete(podIndex);
    const to = podAddress(podIndex);
    return probe(state, resolution).filter((effect) => effect.type === "send" && effect.to === to);
  });
}

export function stashProbed(
  state: CoordinatorState,
  { requestId, deviceId, shardIndices }: Received<"coordinator.stashProbed">,
  nowMs: number,
): CoordinatorEffect[] {
  const resolution = resolutionOf(state, requestId);
  if (!resolution || resolution.isRecounting) return [];
  resolution.stash.set(deviceId, shardIndices);
  return judge(state, resolution, nowMs);
}

/** A repair has arrived: the pod holds it durably. */
export function repaired(
  state: CoordinatorState,
  { uploadId, podIndex, bootId, result }: Received<"coordinator.podAppended">,
  nowMs: number,
): CoordinatorEffect[] {
  const resolution = state.resolutions.get(uploadId);
  const known = resolution?.pods.get(podIndex);
  if (!resolution || !known || known.bootId !== bootId || result !== "durable") return [];
  known.answer = "durable";
  return judge(state, resolution, nowMs);
}

function judge(state: CoordinatorState, resolution: Resolution, nowMs: number): CoordinatorEffect[] {
  const { decode, refuse, bury } = state.quorums;
  const count = tally(state, resolution, nowMs);
  if (resolution.isCommitted || resolution.isNoted || count.durable.length >= decode) {
    return becomeLive(state, resolution, count);
  }
  // A pod has started again, perhaps on another drive, before anybody was told that it lives.
  if (resolution.phase === "live") resolution.phase = "probing";
  if (resolution.supersededBy > resolution.upload.order) return becomeSuperseded(state, resolution);
  if (count.refused.length >= bury) return becomeDead(state, resolution, count);
  if (resolution.phase === "burying") return [];
  if (count.refused.length >= refuse) return beginBurial(state, resolution);
  if (count.isPatient) return [];
  if (count.shardCount >= decode) {
    resolution.phase = "pushing";
    return rebuild(state, resolution);
  }
  // Pods that know of it and lost their shard promise only when there is no shard left to hope for.
  if (resolution.refuse === "all") return [];
  if (count.hasAllAnswers && count.hasAllSettled) {
    if (!resolution.isRecounting) return recount(state, resolution);
    resolution.refuse = "all";
  } else if (resolution.refuse === "nobody") resolution.refuse = "unknowing";
  else return [];
  resolution.phase = "refusing";
  return probe(state, resolution);
}

/** Asks the pods afresh, and keeps what the stash has answered. */
function recount(state: CoordinatorState, resolution: Resolution): CoordinatorEffect[] {
  resolution.isRecounting = true;
  resolution.pods.clear();
  state.resolutionByRequest.delete(resolution.requestId);
  resolution.requestId = state.nextId++;
  state.resolutionByRequest.set(resolution.requestId, resolution.upload.uploadId);
  return probe(state, resolution);
}

function becomeLive(state: CoordinatorState, resolution: Resolution, count: Tally): CoordinatorEffect[] {
  if (resolution.phase !== "live") resolution.isRebuilding = false;
  resolution.phase = "live";
  return finishLive(state, resolution, count);
}

/** Brings it back to n of n before it is called complete; shown it is before, with no more than one shard lacking. */
function finishLive(state: CoordinatorState, resolution: Resolution, count: Tally): CoordinatorEffect[] {
  const { uploadId } = resolution.upload;
  const { shardCount, acknowledge } = state.quorums;
  const durableCount = count.durable.length;
  const expectedCount = count.isPatient ? shardCount : resolution.pods.size;
  const isShown = resolution.isCommitted || expectedCount - durableCount <= 1;
  const effects: CoordinatorEffect[] = [];
  if (isShown && !resolution.isNoted) {
    resolution.isNoted = true;
    effects.push(...toAllPods(state, { type: "pod.note", uploadId, outcome: "committed" }));
  }
  // Its author may only say "stored" of what has the promised q durable shards.
  tell(state, resolution, "live", ({ type }) => (type === "put" ? durableCount >= acknowledge : isShown));
  if (durableCount < shardCount) return [...effects, ...rebuild(state, resolution)];
  forget(state, resolution);
  return [...effects, ...toAllPods(state, { type: "pod.note", uploadId, outcome: "complete" })];
}

/** It may have been shown, and never will be again: nobody needs it, and nobody may say that it never happened. */
function becomeSuperseded(state: CoordinatorState, resolution: Resolution): CoordinatorEffect[] {
  const { upload, supersededBy } = resolution;
  forget(state, resolution);
  tell(state, resolution, "superseded");
  const proof = { type: "superseded", by: supersededBy } as const;
  return [
    ...toAllPods(state, { type: "pod.discard", upload, proof }),
    ...toAllDevices(state, { type: "stash.discard", upload, proof }),
  ];
}

/** It can live no more. It is not called dead yet: so few promises, a drive that is lost would take away. */
function beginBurial(state: CoordinatorState, resolution: Resolution): CoordinatorEffect[] {
  resolution.phase = "burying";
  // Nobody needs a shard any more, so those that know of it may promise as well.
  resolution.refuse = "all";
  return probe(state, resolution);
}

/** The pods that have promised are the proof for the others. */
function askToLetGo(state: CoordinatorState, { upload, pods }: Resolution): CoordinatorEffect[] {
  const by = [...pods].flatMap(([podIndex, { answer }]) => (hasPromised(answer) ? [podIndex] : []));
  return toAllPods(state, { type: "pod.discard", upload, proof: { type: "refused", by } });
}

function becomeDead(state: CoordinatorState, resolution: Resolution, count: Tally): CoordinatorEffect[] {
  const { upload } = resolution;
  forget(state, resolution);
  tell(state, resolution, "dead");
  const proof = { type: "refused", by: count.refused } as const;
  return [
    ...toAllPods(state, { type: "pod.discard", upload, proof }),
    ...toAllDevices(state, { type: "stash.discard", upload, proof }),
  ];
}

/** Whoever waits hears of it as soon as this event has been dealt with (step.ts). */
function tell(
  state: CoordinatorState,
  { upload, waiters }: Resolution,
  end: UploadEnd,
  isReady: (waiter: ResolutionWaiter) => boolean = () => true,
): void {
  const ready = waiters.filter(isReady);
  const others = waiters.filter((waiter) => !isReady(waiter));
  waiters.splice(0, waiters.length, ...others);
  for (const waiter of ready) state.ended.push({ waiter, uploadId: upload.uploadId, end });
}

function forget(state: CoordinatorState, { upload, requestId }: Resolution): void {
  state.resolutions.delete(upload.uploadId);
  state.resolutionByRequest.delete(requestId);
}

/** Asks for shards until k are there, and has the missing ones made. */
function rebuild(state: CoordinatorState, resolution: Resolution): CoordinatorEffect[] {
  const { upload, requestId, pods, stash, shards } = resolution;
  const missing = missingPods(resolution);
  if (missing.length === 0 || resolution.isRebuilding) return [];
  resolution.isRebuilding = true;
  const { uploadId } = upload;
  if (upload.kind === "tombstone") return repairTombstone(resolution, missing);
  if (shards.size >= state.quorums.decode) return encode(state, resolution);
  const holders = [...pods].filter(([, { answer }]) => answer === "written" || answer === "durable");
  const devices = [...stash].filter(([, indices]) => indices.length > 0);
  return [
    ...holders.map(([podIndex]): CoordinatorEffect => {
      return { type: "send", to: podAddress(podIndex), message: { type: "pod.load", requestId, uploadId } };
    }),
    ...devices.map(([deviceId]): CoordinatorEffect => {
      return {
        type: "send",
        to: stashAddress(deviceId),
        message: { type: "stash.load", requestId, uploadId },
      };
    }),
  ];
}

function missingPods({ pods, phase }: Resolution): number[] {
  // A promise stands until the upload is proved to live.
  const canTake = phase === "live" ? ["absent", "known", "refused", "knownRefused"] : ["absent", "known"];
  return [...pods].flatMap(([podIndex, { answer }]) => (canTake.includes(answer) ? [podIndex] : []));
}

export function resolutionLoaded(
  state: CoordinatorState,
  { requestId, shards }: Received<"coordinator.loaded">,
): CoordinatorEffect[] {
  const resolution = resolutionOf(state, requestId);
  if (!resolution) return [];
  const before = resolution.shards.size;
  for (const shard of shardsOf(state, resolution.upload, shards)) {
    resolution.shards.set(shard.shardIndex, shard);
  }
  // Each load adds shards one by one; the k-th starts the work.
  const { decode } = state.quorums;
  return before < decode && resolution.shards.size >= decode ? encode(state, resolution) : [];
}

function encode(state: CoordinatorState, resolution: Resolution): CoordinatorEffect[] {
  const shards = [...resolution.shards.values()].slice(0, state.quorums.decode);
  const missing = missingPods(resolution);
  return [{ type: "reconstruct", uploadId: resolution.upload.uploadId, shards, missing }];
}

/** A tombstone has no bytes: every shard of it can be made from its header. */
function repairTombstone(resolution: Resolution, missing: readonly number[]): CoordinatorEffect[] {
  const { upload } = resolution;
  const payload = new Uint8Array(0);
  return missing.map((shardIndex) => sendRepair(resolution, { upload, shardIndex, payload, payloadCrc: 0 }));
}

export function reconstructed(
  state: CoordinatorState,
  uploadId: UploadId,
  shards: readonly Shard[],
): CoordinatorEffect[] {
  const resolution = state.resolutions.get(uploadId);
  return resolution ? shards.map((shard) => sendRepair(resolution, shard)) : [];
}

function sendRepair({ phase, pods }: Resolution, shard: Shard): CoordinatorEffect {
  const message = {
    type: "pod.append",
    shard,
    purpose: phase === "live" ? "repair" : "push",
    isDurable: true,
    condition: { type: "none" },
    bootId: pods.get(shard.shardIndex)?.bootId ?? 0,
    stashDeviceId: null,
  } as const;
  return { type: "send", to: podAddress(shard.shardIndex), message };
}

/** Asks again whom nothing was heard of, until the deadline. */
export function resolveTimer(
  state: CoordinatorState,
  uploadId: UploadId,
  nowMs: number,
): CoordinatorEffect[] {
  const resolution = state.resolutions.get(uploadId);
  if (!resolution) return [];
  if (nowMs - resolution.startedMs >= RESOLVE_DEADLINE_MS) {
    forget(state, resolution);
    tell(state, resolution, "unknown");
    return [];
  }
  resolution.isRebuilding = false;
  const effects = judge(state, resolution, nowMs);
  if (!state.resolutions.has(uploadId)) return effects;
  return [...effects, ...probe(state, resolution), timer(uploadId)];
}
