/**
 * Objects that exist but cannot be read, because fewer than k shards are readable. They stay in lists; a read returns
 * the reason. The register contains the objects that this coordinator has found unreadable since it started. Pods ask
 * for missing shards at least every six minutes, so it fills up without further requests, and an object leaves it once
 * its bytes are readable again.
 */
import type { Shortage } from "../effects.ts";
import type { UploadHeader } from "../shard.ts";
import type { CoordinatorState } from "./state.ts";

/**
 * Limit on entries, each of half a kilobyte; the oldest are evicted. A vault with more has lost drives, which `vault
 * status` shows.
 */
const LOST_COUNT_MAX = 10_000;
/** Minimum interval between questions to the nodes about a lost object, because each of its n pods asks about it. */
const LOOK_EVERY_MS = 30_000;

export function noteLost(state: CoordinatorState, shortage: Shortage, nowMs: number): void {
  const { uploadId } = shortage.upload;
  const sinceMs = state.lost.get(uploadId)?.sinceMs ?? nowMs;
  state.lost.delete(uploadId);
  state.lost.set(uploadId, { shortage, sinceMs, seenMs: nowMs });
  if (state.lost.size <= LOST_COUNT_MAX) return;
  const oldest = state.lost.keys().next();
  if (!oldest.done) state.lost.delete(oldest.value);
}

export function noteFound(state: CoordinatorState, { uploadId }: Pick<UploadHeader, "uploadId">): void {
  state.lost.delete(uploadId);
}

/** Returns true if nodes should be asked again about an upload that may be lost. */
export function isLookDue(
  { lost }: CoordinatorState,
  { uploadId }: Pick<UploadHeader, "uploadId">,
  nowMs: number,
): boolean {
  const object = lost.get(uploadId);
  if (object === undefined) return true;
  const sinceMs = nowMs - object.seenMs;
  return sinceMs < 0 || sinceMs >= LOOK_EVERY_MS;
}

/** Status of a pod's shard; `silent` if the pod did not answer. */
export type ShardStatus = "readable" | "damaged" | "unreadable" | "missing" | "silent";

export function describeShortage(
  state: CoordinatorState,
  upload: UploadHeader,
  readableCount: number,
  statusOn: (podIndex: number) => ShardStatus,
): Shortage {
  const podsWithStatus = (status: ShardStatus): number[] =>
    state.pods.flatMap((_, podIndex) => (statusOn(podIndex) === status ? [podIndex] : []));
  return {
    upload,
    readableCount,
    neededCount: state.quorums.decode,
    shardCount: state.quorums.shardCount,
    damagedPods: podsWithStatus("damaged"),
    unreadablePods: podsWithStatus("unreadable"),
    missingPods: podsWithStatus("missing"),
    silentPods: podsWithStatus("silent"),
  };
}
