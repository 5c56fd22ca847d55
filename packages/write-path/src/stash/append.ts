import assert from "node:assert/strict";
import { isDeathProof } from "../death-proof.ts";
import type { LogEvent, Send, StashEffect } from "../effects.ts";
import type { Address, StashMessage } from "../messages/index.ts";
import { quorumsOf } from "../quorums.ts";
import { isOfStranger } from "../speaker.ts";
import { askToAnnounce } from "./handoff.ts";
import {
  addEntry,
  countRefusal,
  entryOf,
  removeEntry,
  type StashEntry,
  type StashRefusal,
  type StashState,
} from "./state.ts";

type Received<Type extends StashMessage["type"]> = Extract<StashMessage, { type: Type }>;
type Result = "durable" | "full" | "rebooted" | "failed";

/** Appends a shard; a second append of the same shard waits for the same record, or is answered from it. */
export function append<Position>(
  state: StashState<Position>,
  from: Address,
  { shard, podBootId }: Received<"stash.append">,
  nowMs: number,
): StashEffect<Position>[] {
  const { upload, shardIndex, payloadCrc } = shard;
  const answer = (result: Result) => [answerAppend(state, from, upload.uploadId, shardIndex, result)];
  const present = entryOf(state, upload.uploadId, shardIndex);
  if (present) {
    if (present.isDamaged) return answer("failed");
    if (present.payloadCrc !== payloadCrc) return refuse(state, "append of other bytes", answer("failed"));
    if (present.state === "durable") return answer("durable");
    if (!present.waiters.includes(from)) present.waiters.push(from);
    return [];
  }
  if (state.purgedEarly.get(nameOf(upload.uploadId, shardIndex)) === payloadCrc) {
    // The pod flushed the shard before it arrived here, so it need not be durable here.
    state.purgedEarly.delete(nameOf(upload.uploadId, shardIndex));
    return answer("durable");
  }
  if (state.lifecycle === "poisoned") return refuse(state, "append while poisoned", answer("failed"));
  if (state.deadUploads.get(upload.uploadId))
    return refuse(state, "append of a dead upload", answer("failed"));
  const pod = state.pods.get(shardIndex);
  if (!pod)
    return refuse(state, "append before its pod announced itself", [
      ...answer("failed"),
      askToAnnounce(state, shardIndex),
    ]);
  // A restarted pod has pulled the shards kept here, and would not learn of this one.
  if (podBootId < pod.bootId) return refuse(state, "append for an earlier boot", answer("rebooted"));
  if (state.isFull) return refuse(state, "append while full", answer("full"));
  addEntry(state, {
    upload,
    shardIndex,
    payloadCrc,
    position: null,
    state: "appending",
    arrival: state.nextArrival++,
    waiters: [from],
    offeredMs: nowMs,
    isDamaged: false,
    unreadableSinceMs: null,
  });
  return [{ type: "append", shard, room: "data" }];
}

export function appended<Position>(
  state: StashState<Position>,
  event: Extract<LogEvent<Position>, { type: "appended" }>,
  nowMs: number,
): StashEffect<Position>[] {
  const { uploadId, shardIndex, position } = event;
  const entry = entryOf(state, uploadId, shardIndex);
  // The shard was purged or discarded on its way to the device, and perhaps sent again since.
  if (entry?.state !== "appending") return [{ type: "kill", uploadId, shardIndex, position }];
  assert.notEqual(state.lifecycle, "poisoned");
  entry.state = "durable";
  entry.position = position;
  entry.offeredMs = nowMs;
  return entry.waiters.splice(0).map((to) => answerAppend(state, to, uploadId, shardIndex, "durable"));
}

/** A full log refuses a record, and any log refuses an invalid one; every other failure is the device's, and final. */
export function appendFailed<Position>(
  state: StashState<Position>,
  event: Extract<LogEvent<Position>, { type: "appendFailed" }>,
): StashEffect<Position>[] {
  const { uploadId, shardIndex, reason } = event;
  const hasNoRoom = reason === "full" || reason === "busy";
  if (hasNoRoom) state.isFull = true;
  else if (reason === "refused") countRefusal(state, "append that the log refuses");
  else state.lifecycle = "poisoned";
  const entry = entryOf(state, uploadId, shardIndex);
  if (!entry) return [];
  removeEntry(state, entry);
  const result = hasNoRoom ? "full" : "failed";
  return entry.waiters.map((to) => answerAppend(state, to, uploadId, shardIndex, result));
}

export function purge<Position>(
  state: StashState<Position>,
  from: Address,
  message: Received<"stash.purge">,
): StashEffect<Position>[] {
  const stranger = strangerReason(state, from, message);
  if (stranger !== null) {
    // The pod announces itself again and repeats everything that is still true.
    return refuse(state, stranger, [askToAnnounce(state, message.pod.podIndex)]);
  }
  // A poisoned device writes nothing, not even that a shard is dead.
  if (state.lifecycle === "poisoned") return [];
  const effects: StashEffect<Position>[] = [];
  for (const { uploadId, shardIndex, payloadCrc } of message.entries) {
    if (shardIndex !== message.pod.podIndex) {
      countRefusal(state, "purge of another pod's shard");
      continue;
    }
    const entry = entryOf(state, uploadId, shardIndex);
    if (!entry) state.purgedEarly.set(nameOf(uploadId, shardIndex), payloadCrc);
    // A damaged shard may be the last copy and become readable later, and its header has the checksum.
    else if (entry.payloadCrc !== payloadCrc) countRefusal(state, "purge of other bytes");
    else effects.push(...remove(state, entry, "durable"));
  }
  if (effects.length > 0) state.takingPods.add(message.pod.podIndex);
  return effects;
}

/** Returns the reason why the sender is not the pod that holds its shards now; null if it is. */
function strangerReason<Position>(
  state: StashState<Position>,
  from: Address,
  message: Received<"stash.purge">,
): StashRefusal | null {
  const { pod, epoch } = message;
  if (isOfStranger(from, message)) return "purge of another pod's shard";
  if (epoch !== state.config.epoch) return "purge from another epoch";
  if (pod.driveId !== state.config.podDriveIds[pod.podIndex]) return "purge from another drive";
  if (pod.bootId !== state.pods.get(pod.podIndex)?.bootId) return "purge from another boot";
  return null;
}

export function discard<Position>(
  state: StashState<Position>,
  from: Address,
  message: Received<"stash.discard">,
): StashEffect<Position>[] {
  const { upload, proof } = message;
  if (isOfStranger(from, message)) return refuse(state, "message of a stranger", []);
  if (!isDeathProof(proof, upload, quorumsOf(state.config.scheme), "bury"))
    return refuse(state, "discard without proof", []);
  state.deadUploads.set(upload.uploadId, true);
  if (state.lifecycle === "poisoned") return [];
  return [...(state.entries.get(upload.uploadId) ?? [])].flatMap((entry) => remove(state, entry, "failed"));
}

/**
 * Removes a purged or discarded entry, and answers the nodes that still wait for its group commit. A record on its way
 * to the log is killed when it arrives there.
 */
function remove<Position>(
  state: StashState<Position>,
  entry: StashEntry<Position>,
  result: "durable" | "failed",
): StashEffect<Position>[] {
  const { upload, shardIndex, position } = entry;
  const { uploadId } = upload;
  removeEntry(state, entry);
  const answers = entry.waiters.map((to) => answerAppend(state, to, uploadId, shardIndex, result));
  if (position !== null) return [...answers, { type: "kill", uploadId, shardIndex, position }];
  if (result === "durable") state.purgedEarly.set(nameOf(uploadId, shardIndex), entry.payloadCrc);
  return answers;
}

function refuse<Position>(
  state: StashState<Position>,
  reason: StashRefusal,
  effects: StashEffect<Position>[],
): StashEffect<Position>[] {
  countRefusal(state, reason);
  return effects;
}

function answerAppend<Position>(
  state: StashState<Position>,
  to: Address,
  uploadId: string,
  shardIndex: number,
  result: Result,
): Send {
  const { deviceId } = state;
  const podBootId = bootOf(state, shardIndex);
  const type = "coordinator.stashAppended";
  return { type: "send", to, message: { type, uploadId, shardIndex, deviceId, result, podBootId } };
}

function bootOf<Position>(state: StashState<Position>, podIndex: number): number {
  return state.pods.get(podIndex)?.bootId ?? 0;
}

function nameOf(uploadId: string, shardIndex: number): string {
  return `${uploadId}.${shardIndex}`;
}
