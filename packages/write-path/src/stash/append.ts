import assert from "node:assert/strict";
import type { LogEvent, Send, StashEffect } from "../effects.ts";
import type { Address, StashMessage } from "../messages/index.ts";
import { askToAnnounce } from "./handoff.ts";
import { addEntry, countRefusal, entryOf, removeEntry, type StashRefusal, type StashState } from "./state.ts";

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

export function refuse<Position>(
  state: StashState<Position>,
  reason: StashRefusal,
  effects: StashEffect<Position>[],
): StashEffect<Position>[] {
  countRefusal(state, reason);
  return effects;
}

export function answerAppend<Position>(
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

export function nameOf(uploadId: string, shardIndex: number): string {
  return `${uploadId}.${shardIndex}`;
}
