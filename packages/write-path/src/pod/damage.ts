/**
 * Shards whose bytes this pod cannot return. A drive has three distinct answers:
 *
 *     corrupt      the bytes were read, twice, and fail their checksum -> damaged: the upload stays `known` here, and
 *                  the shard is rebuilt from others
 *     unreadable   the drive gave no answer -> still held; checked again, and damaged only if it stays so
 *     gone         the record was killed while it was being read
 *
 * A bad read destroys nothing. The record of a damaged shard stays in the log until good bytes have
 * taken its place or the upload is superseded, dead or promised away, so it is there again when a controller or a cable
 * recovers. Until then the pod never forgets that it held the shard, which is evidence of what may have been acknowledged
 * (coordinator/tally-answers.ts).
 *
 * Rot strikes single sectors. Many damaged shards within minutes point to a controller, a cable or memory, so the pod
 * postpones their repair, which would only write through the same path, and reports that its damage is correlated. Once
 * the damage has lasted, it is repaired like rot.
 */
import type { PodEffect, ShardRead } from "../effects.ts";
import { CORRELATED_COUNT_MIN, DAMAGE_BUDGET_MS, FAULT_PASSES_WITHIN_MS } from "../fault-patience.ts";
import type { UploadHeader, UploadId } from "../shard.ts";
import type { PodEntry } from "./entry.ts";
import { type DamageBudget, killRecord, type PodState, sinceBootMs, startLoad } from "./state.ts";

const RECHECK_EVERY_MS = 60_000;
/** Unreadable shards reread per round; each is a read of a drive that may be faulty. */
const RECHECKS_PER_ROUND_MAX = 16;
/** Limit on tracked unreadable shards. A drive that fails more reads than this is closed and reopened by its host. */
const UNREADABLE_COUNT_MAX = 4096;

export interface DamageReport {
  /** Shards that this pod holds and whose bytes fail their checksum. */
  readonly damagedCount: number;
  readonly unreadableCount: number;
  /** True if many were found within a short time, so that repairs of the latest are postponed. */
  readonly isCorrelated: boolean;
}

export function damageReport<Position>(state: PodState<Position>, nowMs: number): DamageReport {
  const { damaged, unreadable } = state;
  const isCorrelated = usedAt(state.damageBudget, sinceBootMs(state, nowMs)) >= CORRELATED_COUNT_MIN;
  return { damagedCount: damaged.size, unreadableCount: unreadable.size, isCorrelated };
}

function usedAt({ usedCount, atMs }: DamageBudget, nowMs: number): number {
  const leaked = (Math.max(0, nowMs - atMs) * CORRELATED_COUNT_MIN) / DAMAGE_BUDGET_MS;
  return Math.max(0, usedCount - leaked);
}

/** The bytes fail their checksum: the pod knows the upload and lacks its shard, until a repair restores it. */
export function noteDamage<Position>(state: PodState<Position>, uploadId: UploadId, clockMs: number): void {
  const entry = state.entries.wake(uploadId);
  if (entry?.state !== "durable" || entry.position === null) return;
  const nowMs = sinceBootMs(state, clockMs);
  const usedCount = usedAt(state.damageBudget, nowMs) + 1;
  state.damageBudget = { usedCount: Math.min(usedCount, 2 * CORRELATED_COUNT_MIN), atMs: nowMs };
  const heldUntilMs = usedCount > CORRELATED_COUNT_MIN ? nowMs + FAULT_PASSES_WITHIN_MS : nowMs;
  becomeDamaged(state, entry, entry.position, heldUntilMs);
}

/** Registers a shard that the log found damaged when it was opened, or of which it has only a husk. */
export function recoverDamaged<Position>(
  state: PodState<Position>,
  entry: PodEntry<Position>,
  position: Position,
): void {
  becomeDamaged(state, entry, position, 0);
}

function becomeDamaged<Position>(
  state: PodState<Position>,
  entry: PodEntry<Position>,
  position: Position,
  heldUntilMs: number,
): void {
  const { uploadId } = entry.upload;
  entry.state = "known";
  entry.position = null;
  if (entry.outcome === "complete") entry.outcome = "committed";
  state.damaged.set(uploadId, { position, heldUntilMs });
  state.unreadable.delete(uploadId);
  state.unresolved.set(uploadId, entry);
}

/**
 * Kills the damaged record of an upload that the pod is about to promise never to take: bytes that become readable
 * later would break the promise. The kill precedes the promise in the log, so a log that holds the promise also holds
 * the kill, and one that holds the kill alone has promised nothing yet.
 */
export function killDamaged<Position>(
  state: PodState<Position>,
  upload: UploadHeader,
): PodEffect<Position>[] {
  const shard = state.damaged.get(upload.uploadId);
  state.damaged.delete(upload.uploadId);
  return shard === undefined ? [] : [killRecord(state, upload, shard.position)];
}

/** Registers a shard about which the drive gave no answer. It counts as held, and is checked again. */
export function noteUnreadable<Position>(
  state: PodState<Position>,
  uploadId: UploadId,
  clockMs: number,
): void {
  const { entries, unreadable } = state;
  if (entries.get(uploadId)?.state !== "durable") return;
  if (unreadable.has(uploadId) || unreadable.size >= UNREADABLE_COUNT_MAX) return;
  const nowMs = sinceBootMs(state, clockMs);
  unreadable.set(uploadId, { sinceMs: nowMs, checkAtMs: nowMs + RECHECK_EVERY_MS });
}

/** Returns true if the repair of a damaged shard is postponed, because many were damaged at once. */
export function isRepairHeld<Position>(
  { damaged }: PodState<Position>,
  uploadId: UploadId,
  nowMs: number,
): boolean {
  const shard = damaged.get(uploadId);
  return shard !== undefined && nowMs < shard.heldUntilMs;
}

/** Rereads unreadable shards whose next check is due. */
export function recheckUnreadable<Position>(state: PodState<Position>, nowMs: number): PodEffect<Position>[] {
  const effects: PodEffect<Position>[] = [];
  for (const [uploadId, shard] of [...state.unreadable]) {
    if (nowMs < shard.checkAtMs && nowMs >= shard.sinceMs) continue;
    state.unreadable.delete(uploadId);
    const position = state.entries.get(uploadId)?.position ?? null;
    if (position === null) continue;
    shard.checkAtMs = nowMs + RECHECK_EVERY_MS;
    // Moves to the end of the queue, because one round cannot check all of them.
    state.unreadable.set(uploadId, shard);
    effects.push(startLoad(state, { type: "recheck", uploadId }, position));
    if (effects.length === RECHECKS_PER_ROUND_MAX) break;
  }
  return effects;
}

/** Rereads a damaged shard: the cause of the garbled read may have passed. */
export function recheckDamaged<Position>(
  state: PodState<Position>,
  uploadId: UploadId,
): PodEffect<Position>[] {
  const shard = state.damaged.get(uploadId);
  return shard === undefined ? [] : [startLoad(state, { type: "recheck", uploadId }, shard.position)];
}

/** Updates a shard's state from the result of a read. */
export function noteRead<Position>(
  state: PodState<Position>,
  uploadId: UploadId,
  read: ShardRead,
  clockMs: number,
): void {
  if (read.type === "corrupt") noteDamage(state, uploadId, clockMs);
  else if (read.type === "shard") noteGood(state, uploadId);
  else if (read.type === "unreadable") {
    noteUnreadable(state, uploadId, clockMs);
    const since = state.unreadable.get(uploadId)?.sinceMs ?? Number.POSITIVE_INFINITY;
    // A sector that stays unreadable is lost; the rest of the drive remains in use.
    if (sinceBootMs(state, clockMs) - since >= FAULT_PASSES_WITHIN_MS) noteDamage(state, uploadId, clockMs);
  }
}

function noteGood<Position>(state: PodState<Position>, uploadId: UploadId): void {
  const { entries, damaged, unreadable } = state;
  unreadable.delete(uploadId);
  const shard = damaged.get(uploadId);
  if (shard === undefined) return;
  const entry = entries.wake(uploadId);
  // A repair on its way to the log replaces the record.
  if (entry?.state !== "known") return;
  damaged.delete(uploadId);
  entry.state = "durable";
  entry.position = shard.position;
}
