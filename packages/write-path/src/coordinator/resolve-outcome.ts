/**
 * Finds out how an upload ended when its author is gone or abandoned it, for a reader that found it or a pod that asks.
 * The answer never changes once given, because the two proofs exclude each other:
 *
 * - *live*: a pod knows that it is committed, or k pods hold it durably. Then m pods are left, and m + 1 promises can
 *   never be gathered. It is shown once at most one answering pod lacks it. Damage is not absence: with k shards that
 *   exist, or were durable and fail their checksum now, it may have been acknowledged, so it counts as live even if
 *   fewer than k are readable. It stays listed, and can be read again when drives come back. Pods are not notified of
 *   that until q shards are durable, because they would drop older versions.
 * - *dead*: m + 1 pods have durably promised never to take it, and it was never acknowledged or shown before they did.
 *   Before that is reported, the others drop it on this proof and promise too, until there are 2m promises: m + 1 of
 *   them survive the loss of m - 1 drives, and no stash device that has forgotten the outcome can bring it back. A pod
 *   that never knew the upload may promise at once: an acknowledged upload lacks one pod, a shown one m. A pod that
 *   knows it, and may have lost its shard, is asked only after the stash devices and then every pod have been counted,
 *   in this order because shards move from stash to pod, and fewer than k shards were found in total, including damaged
 *   ones and one for every silent device.
 *
 * In between, a resolution pushes: it makes written shards durable, rebuilds missing ones from any k shards of pods and
 * stash, and asks for promises only if fewer than k can be found, or if the author abandoned the upload. An upload that
 * can be neither proved nor pushed, because too many nodes are silent, stays unknown, and readers have to try again.
 */
import type { CoordinatorEffect } from "../effects.ts";
import { type CoordinatorMessage, type PodMessage, podAddress } from "../messages/index.ts";
import type { UploadHeader, UploadId } from "../shard.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import { isQuorumSilent, toAllDevices, toAllPods } from "./asked-nodes.ts";
import { describeShortage, isLookDue, noteFound, noteLost, type ShardStatus } from "./lost.ts";
import { hasBytes, rebuild, resolutionOf } from "./rebuild.ts";
import {
  type CoordinatorState,
  floorOf,
  type Resolution,
  type ResolutionWaiter,
  type UploadEnd,
} from "./state.ts";
import { hasPromised, isFinal, type Tally, tally } from "./tally-answers.ts";

type Received<Type extends CoordinatorMessage["type"]> = Extract<CoordinatorMessage, { type: Type }>;

const ASK_AGAIN_MS = 500;
export const RESOLVE_DEADLINE_MS = 8000;

/** Starts or joins the resolution of an upload. `isUnwanted`: its author would prefer it to be dead. */
export function resolve(
  state: CoordinatorState,
  upload: UploadHeader,
  waiter: ResolutionWaiter | null,
  isUnwanted: boolean,
  nowMs: number,
): CoordinatorEffect[] {
  if (isForgotten(state, upload)) return letGoOfForgotten(state, upload, waiter ? [waiter] : []);
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
    damagedOnStash: new Set(),
    shards: new Map(),
    isRebuilding: false,
    hasAskedForShards: false,
    shardCountAtTimer: 0,
    isConfirming: false,
    waiters: waiter ? [waiter] : [],
    fullPods: new Set(),
  };
  state.resolutions.set(upload.uploadId, resolution);
  state.resolutionByRequest.set(resolution.requestId, upload.uploadId);
  return [...probe(state, resolution), timer(upload.uploadId)];
}

/**
 * Returns true for a tombstone below the floor, which is either on all pods or on none. On all pods, it has nothing
 * left to hide and is dropped when they learn of the floor. On none, the horizons of all pods are promises never to
 * accept it.
 */
function isForgotten(state: CoordinatorState, { kind, order }: UploadHeader): boolean {
  return kind === "tombstone" && order < floorOf(state);
}

/**
 * Lets the stash drop its shards of the upload, which it would otherwise offer forever to pods that refuse them.
 * Readers may treat it as dead, because it hides nothing either way; its author may not, because it may have been on
 * all pods.
 */
function letGoOfForgotten(
  state: CoordinatorState,
  upload: UploadHeader,
  waiters: readonly ResolutionWaiter[],
): CoordinatorEffect[] {
  const { uploadId } = upload;
  for (const waiter of waiters) {
    state.ended.push({ waiter, uploadId, end: waiter.type === "put" ? "unknown" : "dead" });
  }
  const proof = { type: "refused", by: [...state.pods.keys()] } as const;
  return toAllDevices(state, { type: "stash.discard", upload, proof });
}

function timer(uploadId: UploadId): CoordinatorEffect {
  return { type: "setTimer", key: `resolve:${uploadId}`, delayMs: ASK_AGAIN_MS };
}

function probe(state: CoordinatorState, resolution: Resolution): CoordinatorEffect[] {
  const { requestId } = resolution;
  const { uploadId } = resolution.upload;
  return [
    ...(resolution.phase === "burying" ? askToLetGo(state, resolution) : []),
    ...toAllPods(state, podProbe(resolution)),
    ...toAllDevices(state, { type: "stash.probe", requestId, uploadId }),
  ];
}

function podProbe({ requestId, upload, refuse, isNoted }: Resolution): PodMessage {
  return { type: "pod.probe", requestId, upload, refuse: isNoted ? "nobody" : refuse, isCommitted: isNoted };
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
  if (known && known.bootId > bootId) return [];
  if (known?.bootId === bootId && isFinal(known.answer, answer)) {
    if (!isCommitted || known.isCommitted) return [];
    known.isCommitted = true;
  } else resolution.pods.set(podIndex, { answer, isSettled, bootId, isCommitted });
  resolution.isCommitted ||= isCommitted;
  return judge(state, resolution, nowMs);
}

/** Discards the answers of a pod that has restarted, perhaps on another drive, and asks it again. */
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
  { requestId, deviceId, shardIndices, damagedIndices }: Received<"coordinator.stashProbed">,
  nowMs: number,
): CoordinatorEffect[] {
  const resolution = resolutionOf(state, requestId);
  if (!resolution || resolution.isRecounting) return [];
  resolution.stash.set(deviceId, shardIndices);
  for (const shardIndex of damagedIndices) resolution.damagedOnStash.add(shardIndex);
  return judge(state, resolution, nowMs);
}

/**
 * Called if a pod has no space for the shard, or a lost version is in the way. The next resolution of the upload asks
 * it again.
 */
export function repairRefused(
  state: CoordinatorState,
  { uploadId, podIndex, reason, present }: Received<"coordinator.podRefused">,
  nowMs: number,
): CoordinatorEffect[] {
  const resolution = state.resolutions.get(uploadId);
  if (!resolution) return [];
  const isBelowLost = present !== null && !present.isCommitted && !isLookDue(state, present.upload, nowMs);
  if (reason === "order" && resolution.phase === "pushing" && isBelowLost) {
    endUnknown(state, resolution);
    return [];
  }
  if (reason !== "full") return [];
  resolution.fullPods.add(podIndex);
  return judge(state, resolution, nowMs);
}

/** Called when a repair has arrived: the pod holds the shard durably. */
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
  if (resolution.isCommitted || resolution.isNoted || count.isLost || count.durable.length >= decode) {
    if (isShort(state, resolution, count)) noteShortage(state, resolution, count, nowMs);
    return becomeLive(state, resolution, count);
  }
  // A pod restarted, perhaps on another drive, before the upload was reported to live.
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
  // Damage that is found late is evidence as well.
  if (count.mayBeLost && resolution.phase === "refusing" && resolution.refuse === "unknowing") {
    resolution.refuse = "nobody";
  }
  // Pods that know the upload and lost their shard promise only when no further shards can appear.
  if (resolution.refuse === "all") return [];
  if (count.isHopeless) {
    if (!resolution.isRecounting) return recount(state, resolution);
    resolution.refuse = "all";
  } else if (resolution.refuse === "nobody" && !count.mayBeLost) resolution.refuse = "unknowing";
  else return [];
  resolution.phase = "refusing";
  return probe(state, resolution);
}

/** Returns true if every node has given a final answer and the bytes of a live upload cannot be decoded. */
function isShort(state: CoordinatorState, { upload }: Resolution, count: Tally): boolean {
  return hasBytes(upload) && count.isFinalCount && count.shardCount < state.quorums.decode;
}

/** Returns true if too few shards exist to reconstruct the missing ones. */
function mustWaitForDrives(
  { quorums }: CoordinatorState,
  { upload, shards }: Resolution,
  count: Tally,
): boolean {
  return hasBytes(upload) && count.isBeyondRepair && shards.size < quorums.decode;
}

function noteShortage(
  state: CoordinatorState,
  { upload, pods }: Resolution,
  { shardCount }: Tally,
  nowMs: number,
): void {
  const statusOn = (podIndex: number): ShardStatus => {
    const answer = pods.get(podIndex)?.answer;
    if (answer === undefined) return "silent";
    if (answer === "durable" || answer === "written") return "readable";
    return answer === "damaged" ? "damaged" : "missing";
  };
  noteLost(state, describeShortage(state, upload, shardCount, statusOn), nowMs);
}

/** Asks the pods again, but keeps the stash's answers. */
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

/**
 * Restores the upload to n of n before it is called complete; it is shown earlier, while at most one shard is missing.
 */
function finishLive(state: CoordinatorState, resolution: Resolution, count: Tally): CoordinatorEffect[] {
  const { uploadId } = resolution.upload;
  const { shardCount, acknowledge } = state.quorums;
  const durableCount = count.durable.length;
  const expectedCount = count.isPatient ? shardCount : resolution.pods.size;
  const isShown = resolution.isCommitted || count.isLost || expectedCount - durableCount <= 1;
  const isFirstNoted = isShown && !resolution.isNoted && mayBeNoted(state, resolution, count);
  if (isFirstNoted) resolution.isNoted = true;
  // The author may answer "stored" only if q shards are durable.
  tell(state, resolution, "live", ({ type }) => (type === "put" ? durableCount >= acknowledge : isShown));
  const notes = isFirstNoted ? toAllPods(state, { type: "pod.note", uploadId, outcome: "committed" }) : [];
  // Pods drop the upload once they know the later version, so it would be rebuilt on them repeatedly.
  if (resolution.supersededBy > resolution.upload.order)
    return [...notes, ...becomeSuperseded(state, resolution)];
  const wantingCount = expectedCount - durableCount;
  // Ends here, because asking the nodes every half second would give the same answers. Pods ask again at growing
  // intervals.
  const mustWaitForSpace = wantingCount > 0 && wantingCount === fullPodsLacking(resolution);
  if (mustWaitForSpace || mustWaitForDrives(state, resolution, count)) {
    endUnknown(state, resolution);
    return notes;
  }
  if (durableCount < shardCount) return [...notes, ...rebuild(state, resolution)];
  const uninformed = uninformedPods(resolution);
  if (uninformed.length > 0) return confirm(resolution, uninformed);
  noteFound(state, resolution.upload);
  forget(state, resolution);
  return toAllPods(state, { type: "pod.note", uploadId, outcome: "complete" });
}

/**
 * Returns true if pods may be notified that the upload is committed. They then drop older versions, and the replaced
 * version may have been acknowledged. So they are notified only if a pod already knows of it, or with enough durable
 * shards for an acknowledgement: with only k of them, one more lost drive would take both versions away.
 */
function mayBeNoted({ quorums }: CoordinatorState, { isCommitted }: Resolution, { durable }: Tally): boolean {
  return isCommitted || durable.length >= quorums.acknowledge;
}

/**
 * Returns the pods that hold the tombstone and have not confirmed that they know it to be committed. A pod that took it
 * as a repair may earlier have called everything below a higher order final (pod/horizon.ts), while it still held the
 * version that the tombstone supersedes; it drops that when it learns of the commitment. Once the tombstone is
 * complete, the others may forget it.
 */
function uninformedPods({ upload, pods }: Resolution): number[] {
  if (upload.kind !== "tombstone") return [];
  return [...pods].flatMap(([podIndex, { isCommitted }]) => (isCommitted ? [] : [podIndex]));
}

function confirm(resolution: Resolution, uninformed: readonly number[]): CoordinatorEffect[] {
  if (resolution.isConfirming) return [];
  resolution.isConfirming = true;
  const message = podProbe(resolution);
  return uninformed.map((podIndex) => ({ type: "send", to: podAddress(podIndex), message }));
}

function fullPodsLacking({ pods, fullPods }: Resolution): number {
  return [...fullPods].filter((podIndex) => pods.get(podIndex)?.answer !== "durable").length;
}

/**
 * Ends the resolution of an upload that may have been shown, but never will be again. It is no longer needed, and not
 * reported as dead either.
 */
function becomeSuperseded(state: CoordinatorState, resolution: Resolution): CoordinatorEffect[] {
  const { upload, supersededBy } = resolution;
  noteFound(state, upload);
  forget(state, resolution);
  tell(state, resolution, "superseded");
  const proof = { type: "superseded", by: supersededBy } as const;
  return [
    ...toAllPods(state, { type: "pod.discard", upload, proof }),
    ...toAllDevices(state, { type: "stash.discard", upload, proof }),
  ];
}

/**
 * The upload can no longer live. It is not reported dead yet, because the loss of drives could leave too few
 * promises.
 */
function beginBurial(state: CoordinatorState, resolution: Resolution): CoordinatorEffect[] {
  resolution.phase = "burying";
  // Shards are no longer needed, so pods that know the upload may promise as well.
  resolution.refuse = "all";
  return probe(state, resolution);
}

/** Asks pods to drop the upload; the pods that have promised are the proof for the others. */
function askToLetGo(state: CoordinatorState, { upload, pods }: Resolution): CoordinatorEffect[] {
  const by = [...pods].flatMap(([podIndex, { answer }]) => (hasPromised(answer) ? [podIndex] : []));
  return toAllPods(state, { type: "pod.discard", upload, proof: { type: "refused", by } });
}

function becomeDead(state: CoordinatorState, resolution: Resolution, count: Tally): CoordinatorEffect[] {
  const { upload } = resolution;
  noteFound(state, upload);
  forget(state, resolution);
  tell(state, resolution, "dead");
  const proof = { type: "refused", by: count.refused } as const;
  return [
    ...toAllPods(state, { type: "pod.discard", upload, proof }),
    ...toAllDevices(state, { type: "stash.discard", upload, proof }),
  ];
}

/** Notes the outcome for waiters, who are notified as soon as this event has been processed (step.ts). */
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

/** Ends with an unknown outcome. Pods ask again at growing intervals. */
function endUnknown(state: CoordinatorState, resolution: Resolution): void {
  forget(state, resolution);
  tell(state, resolution, "unknown");
}

/** Asks silent nodes again, until the deadline. */
export function resolveTimer(
  state: CoordinatorState,
  uploadId: UploadId,
  nowMs: number,
): CoordinatorEffect[] {
  const resolution = state.resolutions.get(uploadId);
  if (!resolution) return [];
  if (isForgotten(state, resolution.upload)) {
    forget(state, resolution);
    return letGoOfForgotten(state, resolution.upload, resolution.waiters);
  }
  if (nowMs - resolution.startedMs >= RESOLVE_DEADLINE_MS) {
    endUnknown(state, resolution);
    return [];
  }
  // While pods that an acknowledgement needs are silent, the outcome cannot be proved, so the author stops waiting.
  if (isQuorumSilent(state, nowMs)) tell(state, resolution, "unknown", ({ type }) => type === "put");
  // Waits for shards that are still arriving: asking again would only slow them down.
  const hasCome = resolution.shards.size > resolution.shardCountAtTimer;
  resolution.shardCountAtTimer = resolution.shards.size;
  if (!hasCome) resolution.isRebuilding = false;
  const effects = judge(state, resolution, nowMs);
  if (!state.resolutions.has(uploadId)) return effects;
  return [...effects, ...probe(state, resolution), timer(uploadId)];
}
