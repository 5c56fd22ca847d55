/**
 * Durability on the pod. One fdatasync makes durable everything written before it began; only then does the pod send
 * purges to the stash, and only of shards that this very fdatasync covered.
 */
import assert from "node:assert/strict";
import type { PodEffect } from "../effects.ts";
import { stashAddress } from "../messages/index.ts";
import { answerAppend, answerProbe } from "./answer.ts";
import { crcOf, type EntryView, type PodEntry, takeWaiting } from "./entry.ts";
import { type PodState, removeEntry } from "./state.ts";

/** A shard waits at most this long in the page cache before its flush begins. */
export const FLUSH_EVERY_MS = 5000;
/** Purges for one device are collected this long. */
const PURGE_AFTER_MS = 100;

export function markWritten<Position>(state: PodState<Position>, entry: PodEntry<Position>): void {
  entry.state = "written";
  state.dirty.push(entry);
}

/**
 * Staggers the flushes of the pods over the period: an upload reaches all pods at once, and if they also flushed at
 * once, uploads would wait for all drives, and for a stash that purges all shards.
 */
export function flushSoon<Position>(state: PodState<Position>, nowMs: number): PodEffect<Position>[] {
  if (state.isFlushTimerSet) return [];
  state.isFlushTimerSet = true;
  const phaseMs = Math.floor((state.identity.podIndex * FLUSH_EVERY_MS) / state.config.podDriveIds.length);
  const sinceTurnMs = (Math.floor(nowMs) + FLUSH_EVERY_MS - phaseMs) % FLUSH_EVERY_MS;
  return [{ type: "setTimer", key: "flush", delayMs: FLUSH_EVERY_MS - sinceTurnMs }];
}

/** Begins a flush; if one is in progress, the next follows it at once. */
export function flush<Position>(state: PodState<Position>): PodEffect<Position>[] {
  if (state.flushing !== null) {
    state.isFlushUrgent = true;
    return [];
  }
  if (state.dirty.length === 0 && state.openKill === null) return [];
  state.flushing = state.dirty;
  state.dirty = [];
  state.flushingKill = state.openKill;
  state.openKill = null;
  return [{ type: "flush" }];
}

/** A kill lets others forget the tombstone of its record only once it is durable (horizon.ts). */
export function flushKills<Position>(state: PodState<Position>, nowMs: number): PodEffect<Position>[] {
  return state.openKill === null ? [] : flushSoon(state, nowMs);
}

export function flushed<Position>(state: PodState<Position>): PodEffect<Position>[] {
  assert(state.flushing !== null, "a flush ended that never began");
  const covered = state.flushing.filter((entry) => state.entries.wake(entry.upload.uploadId) === entry);
  state.flushing = null;
  state.flushingKill = null;
  const effects: PodEffect<Position>[] = [];
  for (const entry of covered) {
    assert.equal(entry.state, "written");
    entry.state = "durable";
    const { waiters, probeWaiters, stashDeviceIds } = takeWaiting(entry);
    effects.push(...waiters.map(({ to }) => answerAppend(state, entry, to)));
    effects.push(...probeWaiters.map((waiter) => answerProbe(state, waiter)));
    for (const deviceId of stashDeviceIds) effects.push(...purgeSoon(state, entry, deviceId));
  }
  for (const entry of covered) effects.push(...dropSuperseded(state, entry));
  if (state.isFlushUrgent) {
    state.isFlushUrgent = false;
    effects.push(...flush(state));
  }
  return effects;
}

export function purgeSoon<Position>(
  state: PodState<Position>,
  entry: EntryView<Position>,
  deviceId: number,
): PodEffect<Position>[] {
  assert.equal(entry.state, "durable", "a purge before the shard is durable would lose it");
  const { uploadId } = entry.upload;
  const purge = { uploadId, shardIndex: state.identity.podIndex, payloadCrc: crcOf(entry) };
  const waiting = state.purges.get(deviceId);
  if (waiting) waiting.push(purge);
  else state.purges.set(deviceId, [purge]);
  const isFirst = state.purges.size === 1 && !waiting;
  return isFirst ? [{ type: "setTimer", key: "purge", delayMs: PURGE_AFTER_MS }] : [];
}

/** Purges have no answer. A lost purge leaves the shard on the stash, which offers it again. */
export function sendPurges<Position>(state: PodState<Position>): PodEffect<Position>[] {
  const { identity: pod, config } = state;
  const effects = [...state.purges].map(([deviceId, entries]): PodEffect<Position> => {
    return {
      type: "send",
      to: stashAddress(deviceId),
      message: { type: "stash.purge", pod, epoch: config.epoch, entries },
    };
  });
  state.purges.clear();
  return effects;
}

/**
 * Versions below one that is committed and durable here can never be shown again. They are dropped once they are
 * durable themselves, because only then has the stash been asked to purge them.
 */
export function dropSuperseded<Position>(
  state: PodState<Position>,
  { upload }: Pick<EntryView<Position>, "upload">,
): PodEffect<Position>[] {
  const versions = state.entries.versionsOf(upload);
  const last = versions.findLastIndex((other) => other.state === "durable" && other.outcome !== null);
  return versions
    .slice(0, Math.max(0, last))
    .filter((other) => other.state === "durable" || other.state === "known")
    .flatMap((other) => removeEntry(state, other));
}

/** Ends this boot: every promise that relies on its page cache is void, and the next boot starts by recovery. */
export function halt<Position>(state: PodState<Position>, reason: string): PodEffect<Position>[] {
  state.lifecycle = "halted";
  return [{ type: "halt", reason }];
}
