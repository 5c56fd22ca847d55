/**
 * Outcomes of uploads from a pod's view. A pod never decides one itself: it keeps its shards, promises on request, and
 * asks a coordinator about uploads whose outcome was not reported.
 */

import { isDeathProof } from "../death-proof.ts";
import type { PodEffect } from "../effects.ts";
import type { Address, PodMessage } from "../messages/index.ts";
import { quorumsOf } from "../quorums.ts";
import type { UploadHeader, UploadId } from "../shard.ts";
import { answerProbe, committedOrderOf } from "./answer.ts";
import { isRepairHeld, killDamaged, recheckDamaged, recheckUnreadable } from "./damage.ts";
import { type EntryView, holdsShard, type PodEntry, waitingOf } from "./entry.ts";
import { dropSuperseded, flush, flushKills } from "./flush.ts";
import { advanceHorizon, forgetRefusal, isBelowHorizon } from "./horizon.ts";
import { isLineFull, LOOK_EVERY_MS, REBUILD_AFTER_MS, REBUILD_EVERY_MS, takeFromLine } from "./rebuild.ts";
import {
  countRefusal,
  nameToPeers,
  type PodState,
  removeEntry,
  sinceBootMs,
  someCoordinator,
  stopAsking,
} from "./state.ts";

type Received<Type extends PodMessage["type"]> = Extract<PodMessage, { type: Type }>;

/** An upload whose outcome is unknown after this long is asked about. Coordinators finish theirs within seconds. */
export const ASK_AFTER_MS = 20_000;
const ASK_EVERY_MS = 5000;
const ASKS_AT_A_TIME = 16;
/**
 * Pause while more are due than may be asked about at a time, as after a restart of all nodes. Deleted objects keep their
 * space until then: a vault that restarts after 1,700 deletes in a row had it back after 60 s with a pause of 5 s.
 */
const ASK_BACKLOG_EVERY_MS = 1000;
/** The wait before the next question doubles after each unanswered one, up to this many times. */
const ASK_DOUBLINGS_MAX = 4;

export function probe<Position>(
  state: PodState<Position>,
  to: Address,
  message: Received<"pod.probe">,
): PodEffect<Position>[] {
  if (!message.isCommitted) return answerOrPromise(state, to, message);
  const noted = note(state, { type: "pod.note", uploadId: message.upload.uploadId, outcome: "committed" });
  return [...noted, ...answerOrPromise(state, to, message)];
}

function answerOrPromise<Position>(
  state: PodState<Position>,
  to: Address,
  { requestId, upload, refuse, isCommitted }: Received<"pod.probe">,
): PodEffect<Position>[] {
  const { uploadId } = upload;
  const waiter = { to, requestId, upload };
  const view = state.entries.get(uploadId);
  if (view?.state === "durable") return [answerProbe(state, waiter)];
  const entry = state.entries.wake(uploadId);
  if (entry && entry.state !== "known") {
    waitingOf(entry).probeWaiters.push(waiter);
    return entry.state === "written" ? flush(state) : [];
  }
  // A pod that does not know what it lost may not promise anything.
  const isAsked = !isCommitted && (refuse === "all" || (refuse === "unknowing" && !entry));
  const mayPromise = state.lifecycle === "settled" && committedOrderOf(state, upload) < upload.order;
  if (!isAsked || !mayPromise || isBelowHorizon(state, upload)) return [answerProbe(state, waiter)];
  const promise = state.refused.get(uploadId);
  if (promise?.isDurable) return [answerProbe(state, waiter)];
  if (promise) {
    promise.waiters.push(waiter);
    return [];
  }
  const isKnowing = entry !== undefined;
  const { order } = upload;
  state.refused.set(uploadId, { isDurable: false, isKnowing, order, waiters: [waiter] });
  const killed = killDamaged(state, upload);
  return [...killed, { type: "persistRefusal", refusal: { uploadId, isKnowing, order } }];
}

export function refusalPersisted<Position>(
  state: PodState<Position>,
  uploadId: UploadId,
): PodEffect<Position>[] {
  const promise = state.refused.get(uploadId);
  // The promise is void by now, and so is its record.
  if (!promise) return [{ type: "forgetRefusal", uploadId }];
  promise.isDurable = true;
  return promise.waiters.splice(0).map((waiter) => answerProbe(state, waiter));
}

/** A promise never to take an upload is void once the upload is proved to live. */
export function note<Position>(
  state: PodState<Position>,
  { uploadId, outcome }: Received<"pod.note">,
): PodEffect<Position>[] {
  const voided = forgetRefusal(state, uploadId);
  const entry = state.entries.wake(uploadId);
  if (!entry) return voided;
  nameToPeers(state, uploadId);
  // The message may be meant for an earlier boot: an upload whose shard this one has lost is not complete.
  const isComplete = outcome === "complete" && holdsShard(entry);
  if (isComplete) stopAsking(state, uploadId);
  state.handedOver.delete(uploadId);
  const before = entry.outcome;
  if (before !== "complete") entry.outcome = isComplete ? "complete" : "committed";
  const remembered = entry.outcome === before ? [] : remember(entry);
  return [...voided, ...remembered, ...dropSuperseded(state, entry)];
}

/** The outcome of a shard on its way to the log is stored when it has arrived there. */
export function remember<Position>({ position, outcome }: EntryView<Position>): PodEffect<Position>[] {
  return position === null || outcome === null ? [] : [{ type: "remember", position, outcome }];
}

export function discard<Position>(
  state: PodState<Position>,
  { upload, proof }: Received<"pod.discard">,
): PodEffect<Position>[] {
  const { uploadId } = upload;
  const entry = state.entries.get(uploadId);
  const isRefuted =
    proof.type === "refused" && (isShown(entry) || isOwnPromiseMissing(state, upload, proof.by));
  if (!isDeathProof(proof, upload, quorumsOf(state.config.scheme), "refuse") || isRefuted) {
    countRefusal(state, "discard without proof");
    return [];
  }
  // The shard's kill would come after the promise in the log, and a power cut between them would leave both. The
  // discard is sent again.
  if (proof.type === "refused" && entry?.state === "appending") return [];
  const effects = entry ? removeEntry(state, entry) : [];
  // Every pod promises now, so that drives lost later do not take the proof with them: a stash device may have
  // forgotten the discard, and offer the shards again.
  if (proof.type === "refused" && !state.refused.has(uploadId) && !isBelowHorizon(state, upload)) {
    const { order } = upload;
    state.refused.set(uploadId, { isDurable: false, isKnowing: false, order, waiters: [] });
    effects.push({ type: "persistRefusal", refusal: { uploadId, isKnowing: false, order } });
  }
  return effects;
}

function isShown<Position>(entry: EntryView<Position> | undefined): boolean {
  return entry !== undefined && entry.outcome !== null;
}

/**
 * Returns true if a proof cites a promise of this pod that it does not have. A promise must be durable before it is
 * sent; one below the horizon may have been forgotten.
 */
function isOwnPromiseMissing<Position>(
  { identity, refused, horizon }: PodState<Position>,
  { uploadId, order }: UploadHeader,
  by: readonly number[],
): boolean {
  if (!by.includes(identity.podIndex) || order < horizon) return false;
  return refused.get(uploadId)?.isDurable !== true;
}

/**
 * Checks all unresolved uploads, and asks about those that are due. During a rebuild the pod also asks between checks,
 * for some of the shards that the last check queued.
 */
export function askForOutcomes<Position>(state: PodState<Position>, clockMs: number): PodEffect<Position>[] {
  if (state.lifecycle !== "settled") return [askAgainAfter(ASK_EVERY_MS)];
  const nowMs = sinceBootMs(state, clockMs);
  const effects: PodEffect<Position>[] = [];
  if (isLookDue(state, nowMs)) {
    effects.push(...advanceHorizon(state, clockMs), ...flushKills(state, clockMs));
    effects.push(...recheckUnreadable(state, nowMs));
    const { held, isBacklog } = lookForDue(state, nowMs);
    effects.push(...held.flatMap((entry) => ask(state, entry, nowMs)));
    state.nextLook = { fromMs: nowMs, afterMs: isBacklog ? ASK_BACKLOG_EVERY_MS : ASK_EVERY_MS };
  }
  effects.push(...takeFromLine(state, nowMs).flatMap((entry) => ask(state, entry, nowMs)));
  const { nextLook, rebuilding, rebuildLine } = state;
  if (rebuilding.size + rebuildLine.length === 0) {
    const { afterMs } = nextLook ?? { afterMs: ASK_EVERY_MS };
    state.nextLook = null;
    return [...effects, askAgainAfter(afterMs)];
  }
  if (nextLook !== null) nextLook.afterMs = Math.min(nextLook.afterMs, LOOK_EVERY_MS);
  return [...effects, askAgainAfter(REBUILD_EVERY_MS)];
}

/** A clock that jumped back would postpone the check for as long, so a time before the last check is due as well. */
function isLookDue<Position>({ nextLook }: PodState<Position>, nowMs: number): boolean {
  if (nextLook === null) return true;
  const sinceMs = nowMs - nextLook.fromMs;
  return sinceMs < 0 || sinceMs >= nextLook.afterMs;
}

function ask<Position>(
  state: PodState<Position>,
  entry: PodEntry<Position>,
  nowMs: number,
): PodEffect<Position>[] {
  entry.bornMs = nowMs;
  // Moves to the end of the queue, so that entries which cannot be settled yet do not block the others.
  const { uploadId } = entry.upload;
  state.unresolved.delete(uploadId);
  state.unresolved.set(uploadId, entry);
  state.askCounts.set(uploadId, (state.askCounts.get(uploadId) ?? 0) + 1);
  const recheck = recheckDamaged(state, uploadId);
  // A repair would only be written through the path that garbles reads.
  if (isRepairHeld(state, uploadId, nowMs)) return recheck;
  const message = { type: "coordinator.resolve", upload: entry.upload } as const;
  return [...recheck, { type: "send", to: someCoordinator(state), message }];
}

/** Finds some held entries that are old enough to be asked about, and queues missing shards. */
function lookForDue<Position>(
  state: PodState<Position>,
  nowMs: number,
): { readonly held: readonly PodEntry<Position>[]; readonly isBacklog: boolean } {
  const held: PodEntry<Position>[] = [];
  state.rebuildLine.length = 0;
  for (const [uploadId, entry] of state.unresolved) {
    const isMissing = entry.state === "known";
    if (isMissing ? isLineFull(state) : held.length === ASKS_AT_A_TIME) {
      if (held.length === ASKS_AT_A_TIME && isLineFull(state)) break;
      continue;
    }
    const doublings = Math.min(state.askCounts.get(uploadId) ?? 0, ASK_DOUBLINGS_MAX);
    const afterMs = isMissing ? REBUILD_AFTER_MS : ASK_AFTER_MS;
    if (nowMs - entry.bornMs < afterMs * 2 ** doublings) continue;
    (isMissing ? state.rebuildLine : held).push(entry);
  }
  return { held, isBacklog: held.length === ASKS_AT_A_TIME };
}

function askAgainAfter(delayMs: number): PodEffect<never> {
  return { type: "setTimer", key: "outcomes", delayMs };
}
