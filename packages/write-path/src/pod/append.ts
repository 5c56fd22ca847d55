/**
 * Writes a shard. A pod takes a put only if the pod is settled, the put is above every version of the key that it has
 * acknowledged, and the condition is met; so it votes for at most one of two conflicting attempts, and since any two
 * sets of n - 1 pods intersect, at most one of them is acknowledged.
 */
import type { LogEvent, PodEffect, Send, SpaceClass } from "../effects.ts";
import type { Address, AppendRefusal, Condition, PodAppend, PodMessage } from "../messages/index.ts";
import type { Shard, UploadHeader, UploadId } from "../shard.ts";
import { higherOf, LOWEST_ORDER } from "../version-order.ts";
import { answerAppend, answerProbe } from "./answer.ts";
import { isInDoubt, isOvertaken } from "./doubt.ts";
import {
  addStashDevice,
  crcOf,
  type EntryView,
  holdsShard,
  type PodEntry,
  takeWaiting,
  waitingOf,
} from "./entry.ts";
import { flush, flushSoon, halt, markWritten } from "./flush.ts";
import { closedBelowOf, forgetRefusal, isClosedTo, isForgotten } from "./horizon.ts";
import { remember } from "./outcome.ts";
import {
  addEntry,
  countRefusal,
  type EntryFields,
  nameToPeers,
  type PodState,
  removeEntry,
  sinceBootMs,
  viewOf,
} from "./state.ts";

export function append<Position>(
  state: PodState<Position>,
  from: Address,
  message: PodAppend,
  nowMs: number,
): PodEffect<Position>[] {
  const { shard, isDurable, stashDeviceId } = message;
  const reason = refusalOf(state, message);
  if (reason !== null) {
    countRefusal(state, reason);
    return [refuse(state, from, shard, reason)];
  }
  const { uploadId } = shard.upload;
  const isRepair = message.purpose === "repair";
  const voided = isRepair ? forgetRefusal(state, uploadId) : [];
  // A repair is sent only for an upload that is proved to live.
  if (isRepair) state.handedOver.delete(uploadId);
  const present = state.entries.get(uploadId);
  if (present?.state === "durable") return [...voided, answerAppend(state, present, from)];
  const arriving = state.entries.wake(uploadId);
  if (arriving && stashDeviceId !== null) addStashDevice(arriving, stashDeviceId);
  if (arriving && arriving.state !== "known")
    return [...voided, ...answerAgain(state, arriving, { to: from, isDurable })];
  const effects = store(state, message, nowMs);
  const entry = state.entries.wake(uploadId);
  if (entry) waitingOf(entry).waiters.push({ to: from, isDurable });
  return [...voided, ...effects];
}

/**
 * Returns the share of the log's reserve that a record may use. A tombstone may use all of it if it frees space on this
 * pod, and a put part of it if it is no larger than the version it supersedes. A tombstone that frees nothing here,
 * because the pod never had space for the object, must not take the space in which others are deleted.
 */
function roomOf<Position>(
  state: PodState<Position>,
  upload: UploadHeader,
  purpose: PodAppend["purpose"],
): SpaceClass {
  const below = state.entries
    .versionsOf(upload)
    .filter((entry) => holdsShard(entry) && entry.upload.order < upload.order);
  if (upload.kind === "tombstone") return below.length > 0 ? "removal" : "repair";
  if (purpose !== "put") return "repair";
  const isShrinking = below.some(
    (entry) => entry.outcome !== null && entry.upload.sizeBytes >= upload.sizeBytes,
  );
  return isShrinking ? "replacement" : "data";
}

/** Puts a shard into the log; its entry may exist already. */
export function store<Position>(
  state: PodState<Position>,
  { shard, stashDeviceId, purpose }: Pick<PodAppend, "shard" | "stashDeviceId" | "purpose">,
  nowMs: number,
): PodEffect<Position>[] {
  const { upload, payloadCrc } = shard;
  const room = roomOf(state, upload, purpose);
  const known = state.entries.wake(upload.uploadId);
  const fields = { payloadCrc, state: "appending", position: null, bornMs: nowMs } as const;
  const entry = known ? takeUp(state, known, fields) : addEntry(state, upload, fields);
  if (stashDeviceId !== null) addStashDevice(entry, stashDeviceId);
  return [{ type: "append", shard, room }];
}

function takeUp<Position>(
  state: PodState<Position>,
  known: PodEntry<Position>,
  { payloadCrc, state: lifeState, position, bornMs }: EntryFields<Position>,
): PodEntry<Position> {
  known.signedCrc = payloadCrc | 0;
  known.state = lifeState;
  known.position = position;
  known.bornMs = sinceBootMs(state, bornMs);
  known.wasKnown = true;
  nameToPeers(state, known.upload.uploadId);
  return known;
}

function refusalOf<Position>(state: PodState<Position>, message: PodAppend): AppendRefusal | null {
  const { shard, purpose, bootId, condition } = message;
  const { upload } = shard;
  if (bootId !== state.identity.bootId) return "rebooted";
  if (upload.epoch > state.config.epoch) return "epoch";
  if (shard.shardIndex !== state.identity.podIndex) return "mismatch";
  const present = state.entries.get(upload.uploadId);
  if (present && present.state !== "known" && crcOf(present) !== shard.payloadCrc) return "mismatch";
  if (purpose === "repair") return isForgotten(state, upload) ? "fenced" : null;
  if (state.refused.has(upload.uploadId)) return "fenced";
  if (isClosedTo(state, upload)) return "order";
  if (present && present.state !== "known") {
    if (!isInDoubt(state, present)) return null;
    return state.lifecycle === "settled" ? "order" : "unsettled";
  }
  if (purpose === "push") return isOvertaken(state, upload) ? "order" : null;
  if (state.lifecycle !== "settled") return "unsettled";
  if (upload.epoch !== state.config.epoch) return "epoch";
  const top = state.entries.highestVersion(upload);
  if (top && upload.order <= top.upload.order) return "order";
  return conditionRefusal(condition, top);
}

/** A version with an unknown outcome neither meets nor breaks a condition: the attempt is contested. */
function conditionRefusal<Position>(
  condition: Condition,
  top: EntryView<Position> | undefined,
): "condition" | "contested" | null {
  if (condition.type === "none") return null;
  if (top && top.outcome === null) return "contested";
  return isMet(condition, top?.upload.kind === "object" ? top.upload : null) ? null : "condition";
}

function isMet(condition: Exclude<Condition, { type: "none" }>, object: UploadHeader | null): boolean {
  switch (condition.type) {
    case "absent":
      return object === null;
    case "etag":
      return object?.etag === condition.etag;
    case "version":
      return object?.uploadId === condition.uploadId;
  }
}

function answerAgain<Position>(
  state: PodState<Position>,
  entry: PodEntry<Position>,
  waiter: { to: Address; isDurable: boolean },
): PodEffect<Position>[] {
  if (entry.state === "written" && !waiter.isDurable) return [answerAppend(state, entry, waiter.to)];
  waitingOf(entry).waiters.push(waiter);
  return waiter.isDurable && entry.state === "written" ? flush(state) : [];
}

export function appended<Position>(
  state: PodState<Position>,
  event: Extract<LogEvent<Position>, { type: "appended" }>,
  nowMs: number,
): PodEffect<Position>[] {
  const { uploadId, shardIndex, position } = event;
  const entry = state.entries.wake(uploadId);
  // The shard was discarded while it was on its way to the log.
  if (entry?.state !== "appending") return [{ type: "kill", uploadId, shardIndex, position }];
  entry.position = position;
  const replaced = releaseReplacedRecord(state, uploadId);
  markWritten(state, entry);
  const { waiters, probeWaiters } = waitingOf(entry);
  const ready = waiters.filter((waiter) => !waiter.isDurable);
  const waiting = waiters.filter((waiter) => waiter.isDurable);
  waiters.splice(0, Number.POSITIVE_INFINITY, ...waiting);
  // Superseded records free space once the tombstone is durable, and appends are waiting for space.
  const isRelief = state.room.isShort && entry.upload.kind === "tombstone";
  const isUrgent = waiting.length > 0 || probeWaiters.length > 0 || isRelief;
  const effects: PodEffect<Position>[] = [
    ...replaced,
    ...ready.map(({ to }) => answerAppend(state, entry, to)),
  ];
  effects.push(...remember(entry));
  effects.push(...(isUrgent ? flush(state) : flushSoon(state, nowMs)));
  return effects;
}

/** The log has replaced the damaged bytes with the new ones, so the old position is no longer valid. */
function releaseReplacedRecord<Position>(
  state: PodState<Position>,
  uploadId: UploadId,
): PodEffect<Position>[] {
  const shard = state.damaged.get(uploadId);
  if (shard === undefined) return [];
  state.damaged.delete(uploadId);
  const { podIndex: shardIndex } = state.identity;
  return [{ type: "kill", uploadId, shardIndex, position: shard.position }];
}

const failures = {
  full: { reason: "full", counted: "log is full" },
  busy: { reason: "failed", counted: "log is busy" },
  refused: { reason: "mismatch", counted: "record that the log refuses" },
} as const;

/** A log that refuses a record is unharmed; any other failure ends this boot. */
export function appendFailed<Position>(
  state: PodState<Position>,
  event: Extract<LogEvent<Position>, { type: "appendFailed" }>,
): PodEffect<Position>[] {
  if (event.reason === "failed") return halt(state, "a write to the log failed");
  const entry = state.entries.wake(event.uploadId);
  if (entry?.state !== "appending") return [];
  countRefusal(state, failures[event.reason].counted);
  const { upload } = entry;
  const shard = { upload, payloadCrc: crcOf(entry), shardIndex: state.identity.podIndex };
  const { reason } = failures[event.reason];
  const { waiters, probeWaiters } = takeWaiting(entry);
  const answers = waiters.map(({ to }) => refuse(state, to, shard, reason));
  if (!entry.wasKnown) return [...answers, ...removeEntry(state, entry)];
  entry.state = "known";
  return [...answers, ...probeWaiters.map((waiter) => answerProbe(state, waiter))];
}

export function confirm<Position>(
  state: PodState<Position>,
  from: Address,
  { uploadId, bootId }: Extract<PodMessage, { type: "pod.confirm" }>,
): PodEffect<Position>[] {
  const entry = state.entries.get(uploadId);
  const holds = entry?.state === "written" || entry?.state === "durable";
  if (bootId !== state.identity.bootId || !holds) return [];
  const { podIndex } = state.identity;
  return [{ type: "send", to: from, message: { type: "coordinator.confirmed", uploadId, podIndex, bootId } }];
}

function refuse<Position>(
  state: PodState<Position>,
  to: Address,
  { upload }: Pick<Shard, "upload">,
  reason: AppendRefusal,
): Send {
  const { podIndex, bootId } = state.identity;
  const top = state.entries.highestVersion(upload);
  const message = {
    type: "coordinator.podRefused",
    uploadId: upload.uploadId,
    podIndex,
    bootId,
    reason,
    present: top ? viewOf(state, top) : null,
    highestOrder: higherOf(top?.upload.order ?? LOWEST_ORDER, closedBelowOf(state)),
  } as const;
  return { type: "send", to, message };
}
