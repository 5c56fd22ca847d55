/**
 * Stores an upload. One rule acknowledges on every path: q pods have written, and q shards are durable, on their pods
 * or on the stash.
 *
 * One case needs explanation. If pod t has not written, and shard s of another pod is not on the stash, then shard s is
 * only in a page cache; if pod s has restarted since it answered, two pods would lack the object, and a read may miss
 * it. So pod s is asked again after all others have written: if it still holds the shard, then any later restart of pod
 * s finds the upload in its peers' indexes.
 *
 * The write of a pod that restarts counts even though the restart may lose it, because the coordinator may not learn of
 * the restart in time. Such a pod learns of the upload before it settles. If its shard is durable on the stash, the
 * device accepted the shard before the new boot pulled, and sends that boot its last page only afterwards; once the
 * boot has pulled, appends for the previous boot are refused (stash/handoff.ts). If its shard is not on the stash, the
 * new boot does not confirm for the previous one. The upload is then acknowledged only when all n pods have written,
 * and this pod is the only one that lacks it.
 */
import assert from "node:assert/strict";
import type { CoordinatorEffect, PutOutcome, PutRequest } from "../effects.ts";
import { type AppendRefusal, type CoordinatorMessage, podAddress, stashAddress } from "../messages/index.ts";
import type { Shard, UploadHeader } from "../shard.ts";
import { nextOrder, observeOrder } from "../version-order.ts";
import { isSilent, toAllPods } from "./asked-nodes.ts";
import {
  deviceAnswered,
  deviceOverran,
  placeUpload,
  restDevice,
  STASH_BUDGET_MS,
} from "./choose-stash-devices.ts";
import { refusalFor, reserveRoom } from "./free-space.ts";
import { repairRefused, resolve } from "./resolve-outcome.ts";
import { type CoordinatorState, countRefusal, type Put, type UploadEnd } from "./state.ts";

type Received<Type extends CoordinatorMessage["type"]> = Extract<CoordinatorMessage, { type: Type }>;

export const PUT_DEADLINE_MS = 10_000;
/** Interval at which an upload that waits for pods checks that enough of them still respond. */
export const LOOK_EVERY_MS = 500;
/** Delay from the answer to the note about the outcome, so that one note per pod is usually enough. */
const NOTE_AFTER_MS = 50;
const STRAGGLER_PATIENCE_MS = 2000;
const NO_STASH = { placement: [], hasStash: false, isTrial: false } as const;

export function put(state: CoordinatorState, request: PutRequest, nowMs: number): CoordinatorEffect[] {
  const { shardCount } = state.quorums;
  assert.equal(request.payloads.length, shardCount, "a put has one payload for each shard");
  assert(!state.puts.has(request.uploadId), "an upload id is used once");
  const refusal = refusalFor(state, request);
  if (refusal !== null) return [{ type: "answerPut", token: request.token, outcome: { type: refusal } }];
  reserveRoom(state, request);
  const isForStash = request.sizeBytes <= state.smallUploadBytesMax && request.isDirect !== true;
  const isConditional = request.condition.type !== "none";
  const { placement, hasStash, isTrial } =
    isForStash && state.isStashEnabled
      ? placeUpload(state, { uploadId: request.uploadId, isConditional }, nowMs)
      : NO_STASH;
  const attempt: Put = {
    token: request.token,
    condition: request.condition,
    upload: headerOf(state, request, nowMs),
    bytes: { payloads: request.payloads, payloadCrcs: request.payloadCrcs },
    placement,
    phase: !hasStash ? "direct" : isConditional ? "voting" : "stash",
    startedMs: nowMs,
    deadlineMs: nowMs + PUT_DEADLINE_MS,
    isNoted: false,
    pods: Array.from({ length: shardCount }, () => "pending"),
    bootIds: state.pods.map((pod) => pod.bootId),
    stash: Array.from({ length: shardCount }, (_, i) =>
      (hasStash || isTrial) && placement[i] != null ? "pending" : "none",
    ),
    confirmations: new Map(),
  };
  state.puts.set(request.uploadId, attempt);
  // Sends to the stash first: it answers after a sync, pods after a write to the page cache.
  if (attempt.phase === "stash") return [...sendToStash(attempt), ...sendToPods(attempt)];
  const trials = attempt.phase === "direct" && isTrial ? stashAppends(attempt) : [];
  return [...trials, ...sendToPods(attempt), timer(attempt, LOOK_EVERY_MS)];
}

function headerOf(state: CoordinatorState, request: PutRequest, nowMs: number): UploadHeader {
  const { uploadId, kind, bucket, key, sizeBytes, etag, contentType, userMetadata } = request;
  const { scheme, epoch } = state.config;
  const order = nextOrder(state.clock, nowMs);
  return { uploadId, kind, bucket, key, order, scheme, sizeBytes, etag, contentType, userMetadata, epoch };
}

function shardOf({ upload, bytes }: Put, shardIndex: number): Shard {
  const payload = bytes?.payloads[shardIndex];
  const payloadCrc = bytes?.payloadCrcs[shardIndex];
  assert(payload !== undefined && payloadCrc !== undefined, "a put has bytes and checksum of each shard");
  return { upload, shardIndex, payload, payloadCrc };
}

function sendToPods(attempt: Put): CoordinatorEffect[] {
  const isDurable = attempt.phase === "direct";
  const { condition } = attempt;
  return attempt.pods.flatMap((outcome, podIndex): CoordinatorEffect[] => {
    if (outcome !== "pending" && outcome !== "written") return [];
    const shard = shardOf(attempt, podIndex);
    const bootId = attempt.bootIds[podIndex] ?? 0;
    const stashDeviceId = attempt.placement[podIndex] ?? null;
    const type = "pod.append";
    const message = { type, shard, purpose: "put", isDurable, condition, bootId, stashDeviceId } as const;
    return [{ type: "send", to: podAddress(podIndex), message }];
  });
}

function timer({ upload }: Put, delayMs: number): CoordinatorEffect {
  return { type: "setTimer", key: `put:${upload.uploadId}`, delayMs };
}

/**
 * A conditional write goes to the stash only after q pods have voted for it: shards on the stash survive a power cut in
 * which the votes are forgotten, and no shard of a losing attempt must be found there.
 */
function sendToStash(attempt: Put): CoordinatorEffect[] {
  return [...stashAppends(attempt), timer(attempt, STASH_BUDGET_MS)];
}

function stashAppends(attempt: Put): CoordinatorEffect[] {
  return attempt.placement.flatMap((deviceId, shardIndex): CoordinatorEffect[] => {
    if (deviceId === null) return [];
    const podBootId = attempt.bootIds[shardIndex] ?? 0;
    const message = { type: "stash.append", shard: shardOf(attempt, shardIndex), podBootId } as const;
    return [{ type: "send", to: stashAddress(deviceId), message }];
  });
}

export function podAppended(
  state: CoordinatorState,
  { uploadId, podIndex, bootId, result }: Received<"coordinator.podAppended">,
  nowMs: number,
): CoordinatorEffect[] {
  const attempt = state.puts.get(uploadId);
  if (!attempt || attempt.bootIds[podIndex] !== bootId) return [];
  const before = attempt.pods[podIndex];
  if (before === "durable" || (before === "written" && result === "written")) return [];
  // Answers to a repair, and late ones from an earlier boot, do not change a refusal.
  if (before !== "pending" && before !== "written") return [];
  attempt.pods[podIndex] = result;
  return judge(state, attempt, nowMs);
}

export function podRefused(
  state: CoordinatorState,
  message: Received<"coordinator.podRefused">,
  nowMs: number,
): CoordinatorEffect[] {
  const { uploadId, podIndex, reason, present, highestOrder } = message;
  observeOrder(state.clock, highestOrder);
  const attempt = state.puts.get(uploadId);
  const effects = repairRefused(state, message, nowMs);
  const isFinal =
    attempt?.pods[podIndex] === "durable" || (attempt?.pods[podIndex] === "written" && reason !== "rebooted");
  if (attempt && !isFinal) {
    attempt.pods[podIndex] = reason;
    effects.push(...judge(state, attempt, nowMs));
  }
  // Resolves the upload in the way, so that it does not block a retry, and a pushed upload can continue.
  const isInTheWay = reason === "contested" || (reason === "order" && state.resolutions.has(uploadId));
  if (isInTheWay && present && !present.isCommitted) {
    effects.push(...resolve(state, present.upload, null, false, nowMs));
  }
  return effects;
}

export function stashAppended(
  state: CoordinatorState,
  { uploadId, shardIndex, deviceId, result }: Received<"coordinator.stashAppended">,
  nowMs: number,
): CoordinatorEffect[] {
  if (result === "durable") deviceAnswered(state, deviceId, uploadId, nowMs);
  else if (result !== "rebooted") restDevice(state, deviceId, nowMs);
  const attempt = state.puts.get(uploadId);
  if (attempt?.stash[shardIndex] !== "pending") return [];
  if (attempt.placement[shardIndex] !== deviceId) {
    countRefusal(state, "answer of another device");
    return [];
  }
  attempt.stash[shardIndex] = result === "durable" ? "durable" : "failed";
  return judge(state, attempt, nowMs);
}

/** Shards on their way to the device may be lost, so their answers are no longer awaited. */
export function deviceLost(state: CoordinatorState, deviceId: number, nowMs: number): CoordinatorEffect[] {
  restDevice(state, deviceId, nowMs);
  const effects: CoordinatorEffect[] = [];
  for (const attempt of [...state.puts.values()]) {
    const shardIndex = attempt.placement.indexOf(deviceId);
    if (attempt.stash[shardIndex] !== "pending") continue;
    attempt.stash[shardIndex] = "failed";
    effects.push(...judge(state, attempt, nowMs));
  }
  return effects;
}

export function confirmed(
  state: CoordinatorState,
  { uploadId, podIndex, bootId }: Received<"coordinator.confirmed">,
  nowMs: number,
): CoordinatorEffect[] {
  const attempt = state.puts.get(uploadId);
  if (!attempt?.confirmations.has(podIndex) || attempt.bootIds[podIndex] !== bootId) return [];
  attempt.confirmations.set(podIndex, true);
  return judge(state, attempt, nowMs);
}

/** A restarted pod does not answer messages to its previous boot, so those answers are no longer awaited. */
export function podRebooted(state: CoordinatorState, podIndex: number, nowMs: number): CoordinatorEffect[] {
  const effects: CoordinatorEffect[] = [];
  for (const attempt of [...state.puts.values()]) {
    if (attempt.phase === "ending" || attempt.phase === "stored") continue;
    if (attempt.pods[podIndex] !== "pending") continue;
    attempt.pods[podIndex] = "rebooted";
    effects.push(...judge(state, attempt, nowMs));
  }
  return effects;
}

const hasWritten = (outcome: Put["pods"][number] | undefined) =>
  outcome === "written" || outcome === "durable";

function durableShards(attempt: Put): boolean[] {
  return attempt.pods.map((outcome, i) => outcome === "durable" || attempt.stash[i] === "durable");
}

/** Returns the pods whose shard is only in a page cache: after a restart they may not learn that they had it. */
function restingPods(attempt: Put): number[] {
  const isDurable = durableShards(attempt);
  return attempt.pods.flatMap((outcome, i) => (outcome === "written" && !isDurable[i] ? [i] : []));
}

function haveRestingConfirmed(attempt: Put): boolean {
  return restingPods(attempt).every((i) => attempt.confirmations.get(i));
}

function judge(state: CoordinatorState, attempt: Put, nowMs: number): CoordinatorEffect[] {
  if (attempt.phase === "stored" || attempt.phase === "ending") return [];
  const { acknowledge, defeat, shardCount } = state.quorums;
  const isDurable = durableShards(attempt);
  const writtenCount = attempt.pods.filter(hasWritten).length;
  const durableCount = isDurable.filter(Boolean).length;
  if (attempt.phase === "voting" && writtenCount >= acknowledge) {
    attempt.phase = "stash";
    return sendToStash(attempt);
  }
  if (writtenCount >= acknowledge && durableCount >= acknowledge) {
    if (writtenCount === shardCount || haveRestingConfirmed(attempt)) return store(state, attempt);
    return askToConfirm(attempt);
  }
  const refusals = refusalsIn(attempt);
  if (refusals.length >= defeat) return end(state, attempt, nowMs);
  const lost = attempt.stash.filter((outcome, i) => outcome !== "pending" && !isDurable[i]).length;
  return attempt.phase === "stash" && lost >= defeat ? fallBack(attempt, nowMs) : [];
}

function askToConfirm(attempt: Put): CoordinatorEffect[] {
  return restingPods(attempt).flatMap((podIndex): CoordinatorEffect[] => {
    if (attempt.confirmations.has(podIndex)) return [];
    attempt.confirmations.set(podIndex, false);
    const { uploadId } = attempt.upload;
    const bootId = attempt.bootIds[podIndex] ?? 0;
    return [{ type: "send", to: podAddress(podIndex), message: { type: "pod.confirm", uploadId, bootId } }];
  });
}

function store(state: CoordinatorState, attempt: Put): CoordinatorEffect[] {
  const { upload, token, stash } = attempt;
  const path =
    stash.filter((outcome) => outcome === "durable").length >= state.quorums.acknowledge ? "stash" : "direct";
  attempt.phase = "stored";
  attempt.bytes = null;
  return [
    { type: "answerPut", token, outcome: { type: "stored", path, upload } },
    timer(attempt, NOTE_AFTER_MS),
  ];
}

/** Switches to the direct path; shards that the stash has already made durable still count. */
function fallBack(attempt: Put, nowMs: number): CoordinatorEffect[] {
  attempt.phase = "direct";
  attempt.deadlineMs = nowMs + PUT_DEADLINE_MS;
  return [...sendToPods(attempt), timer(attempt, LOOK_EVERY_MS)];
}

/**
 * Returns true if pods that refused or fell silent keep the upload from its quorum. New uploads are then refused at
 * once, and the client of one in progress need not wait for the deadline.
 */
function isBeyondReach(state: CoordinatorState, attempt: Put, nowMs: number): boolean {
  const isDurable = durableShards(attempt);
  const lacking = attempt.pods.filter((outcome, podIndex) => {
    const isEnough =
      attempt.phase === "direct" ? isDurable[podIndex] && hasWritten(outcome) : hasWritten(outcome);
    const isRefusal = outcome !== "pending" && !hasWritten(outcome);
    return !isEnough && (isRefusal || isSilent(state, podIndex, nowMs));
  });
  return lacking.length >= state.quorums.defeat;
}

function refusalsIn({ pods }: Put): AppendRefusal[] {
  return pods.filter((outcome): outcome is AppendRefusal => outcome !== "pending" && !hasWritten(outcome));
}

/**
 * Returns the outcome for the client; each kind of refusal determines the client's next step. Only m + 1 pods together know
 * that a condition is not met: one may lack an acknowledged upload, and m may lack one that a reader completed on the k
 * others and showed.
 */
function failureOf({ quorums }: CoordinatorState, attempt: Put): PutOutcome {
  const refusals = refusalsIn(attempt);
  // Refusals that arrive during the resolution count too; a deadline alone proves nothing.
  if (refusals.length < quorums.defeat) return { type: "unavailable" };
  if (refusals.includes("order")) return { type: "again" };
  if (refusals.includes("epoch")) return { type: "outdated" };
  if (refusals.includes("full")) return { type: "full" };
  const unmetCount = refusals.filter((reason) => reason === "condition").length;
  if (unmetCount >= quorums.discover) return { type: "precondition" };
  if (refusals.some((reason) => reason === "contested" || reason === "condition"))
    return { type: "conflict" };
  return { type: "unavailable" };
}

/**
 * Abandons the attempt. It may be on some pods, and a reader may be completing it at this moment, so its outcome is
 * decided like any other's before the client is answered: no upload that was answered with "no" appears later.
 */
function end(state: CoordinatorState, attempt: Put, nowMs: number): CoordinatorEffect[] {
  attempt.phase = "ending";
  attempt.bytes = null;
  const { uploadId } = attempt.upload;
  return resolve(state, attempt.upload, { type: "put", uploadId }, true, nowMs);
}

export function putEnded(state: CoordinatorState, uploadId: string, end: UploadEnd): CoordinatorEffect[] {
  const attempt = state.puts.get(uploadId);
  if (!attempt) return [];
  state.puts.delete(uploadId);
  const { token } = attempt;
  // If k pods took the upload as a put, its version order was above every acknowledged one; if others brought it to
  // life, its order may be lower, and then it is never shown.
  const takerCount = attempt.pods.filter(hasWritten).length;
  if (end === "live" && takerCount >= state.quorums.decode) {
    const outcome = { type: "stored", path: "direct", upload: attempt.upload } as const;
    return [{ type: "answerPut", token, outcome }];
  }
  return [
    {
      type: "answerPut",
      token,
      outcome: end === "dead" ? failureOf(state, attempt) : { type: "unavailable" },
    },
  ];
}

export function putTimer(state: CoordinatorState, uploadId: string, nowMs: number): CoordinatorEffect[] {
  const attempt = state.puts.get(uploadId);
  if (!attempt || attempt.phase === "ending") return [];
  if (attempt.phase === "direct" || attempt.phase === "voting") {
    const isOver = nowMs >= attempt.deadlineMs || isBeyondReach(state, attempt, nowMs);
    return isOver ? end(state, attempt, nowMs) : [timer(attempt, LOOK_EVERY_MS)];
  }
  if (attempt.phase === "stash") {
    attempt.stash.forEach((outcome, shardIndex) => {
      if (outcome === "pending") deviceOverran(state, attempt.placement[shardIndex] ?? -1, nowMs);
    });
    return fallBack(attempt, nowMs);
  }
  const isWritten = attempt.pods.every(hasWritten);
  // A pod that restarts from now on compares itself with peers that have the upload, or pulls it from the stash.
  // Earlier restarts may be unknown, so pods with the shard in a page cache have to confirm it.
  const isComplete = isWritten && haveRestingConfirmed(attempt);
  const note = { type: "pod.note", uploadId, outcome: isComplete ? "complete" : "committed" } as const;
  const isOver = isComplete || attempt.isNoted || nowMs - attempt.startedMs > STRAGGLER_PATIENCE_MS;
  attempt.isNoted = true;
  if (isOver) state.puts.delete(uploadId);
  const effects = toAllPods(state, note);
  if (isWritten && !isOver) effects.push(...askToConfirm(attempt));
  if (!isOver) effects.push(timer(attempt, STRAGGLER_PATIENCE_MS));
  return effects;
}
