/**
 * The rate at which a pod gets back the shards that it lacks, as after its drive was replaced. It asks a coordinator for
 * each of them, which gathers k others and sends this pod its own. So the rate is bounded here: by bytes a second, and by
 * the number of shards that are on their way, because coordinators have other work and answer no question twice.
 */
import { REBUILD_BYTES_PER_SECOND } from "../placement.ts";
import type { PodEntry } from "./entry.ts";
import type { PodState } from "./state.ts";

/** A coordinator works on 256 questions of pods; that is enough for four pods that lack everything. */
const REBUILDS_AT_A_TIME = 64;
/** Coordinators give a question up after this long (RESOLVE_DEADLINE_MS). */
const REBUILD_WITHIN_MS = 8000;
/** What was not asked for may be asked for later, but no more than of this long at a time. */
const CREDIT_MS_MAX = 1000;
export const REBUILD_EVERY_MS = 250;
/** A shard that is on its way from its author arrives sooner. */
export const REBUILD_AFTER_MS = 4000;

export interface MissingShards {
  readonly shardCount: number;
  readonly bytes: number;
}

/** Shards that this pod knows of and does not hold. */
export function missingShards<Position>(state: PodState<Position>): MissingShards {
  let [shardCount, bytes] = [0, 0];
  for (const entry of state.unresolved.values()) {
    if (entry.state !== "known") continue;
    shardCount += 1;
    bytes += shardBytesOf(entry);
  }
  return { shardCount, bytes };
}

/** How many bytes and shards the pod may ask for now. */
export function rebuildAllowance<Position>(
  state: PodState<Position>,
  nowMs: number,
): { bytes: number; shardCount: number } {
  const rate = state.config.rebuildBytesPerSecond ?? REBUILD_BYTES_PER_SECOND;
  const { rebuildCredit: credit, rebuilding } = state;
  const sinceMs = Math.max(0, nowMs - credit.untilMs);
  credit.bytes = Math.min(credit.bytes + (rate * sinceMs) / 1000, (rate * CREDIT_MS_MAX) / 1000);
  credit.untilMs = nowMs;
  for (const uploadId of rebuilding) {
    const entry = state.entries.get(uploadId);
    if (entry?.state !== "known" || nowMs - entry.bornMs >= REBUILD_WITHIN_MS) rebuilding.delete(uploadId);
  }
  return { bytes: credit.bytes, shardCount: REBUILDS_AT_A_TIME - rebuilding.size };
}

/** The credit may go below zero, or shards larger than all of it would never be asked for. */
export function spendAllowance<Position>(state: PodState<Position>, entry: PodEntry<Position>): number {
  const bytes = shardBytesOf(entry);
  state.rebuildCredit.bytes -= bytes;
  state.rebuilding.add(entry.upload.uploadId);
  return bytes;
}

function shardBytesOf<Position>({ upload }: PodEntry<Position>): number {
  return Math.ceil(upload.sizeBytes / upload.scheme.dataShardCount);
}
