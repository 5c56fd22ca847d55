/**
 * Decides whether the vault has space for an upload, before any of it is encoded or sent. Pods report their free space
 * in each greeting. Each pod makes the final decision itself, so information that is a second old does no harm.
 */
import type { PutRequest } from "../effects.ts";
import { FREE_BYTES_UNKNOWN } from "../messages/index.ts";
import type { Scheme } from "../quorums.ts";
import type { CoordinatorState } from "./state.ts";

/** Minimum bytes of a record in a pod's log in addition to its shard. */
const RECORD_BYTES_MIN = 128;
/** Bytes of a record in addition to its shard: header, names, metadata, and the rest of its last page. */
const RECORD_OVERHEAD_BYTES = 4096;

/** Returns the bytes of the largest shard that fits into this space of a pod. */
export const shardBytesIn = (podBytes: number): number => Math.max(0, podBytes - RECORD_OVERHEAD_BYTES);

/** Returns the bytes of bodies whose shards fit into this space of each pod. */
export const bodyBytesIn = (podBytes: number, { dataShardCount }: Scheme): number =>
  shardBytesIn(podBytes) * dataShardCount;

/**
 * Bytes of bodies that the vault can still store, by the free space of the second fullest pod. An acknowledgement needs
 * n - 1 pods, so the fullest one does not matter.
 */
export function freeBytesOf({
  pods,
  sentBytes,
  config,
}: Pick<CoordinatorState, "pods" | "sentBytes" | "config">): number {
  const [, second = 0] = pods
    .map(({ room, sentBytesAtReport }) => room.freeBytes - (sentBytes - sentBytesAtReport))
    .sort((a, b) => a - b);
  return bodyBytesIn(second, config.scheme);
}

/**
 * Bytes of bodies that occupy the vault, out of the `capacityBytes` of an empty one. They equal the capacity exactly
 * while `freeBytesOf` is 0, which is when `refusalFor` refuses all uploads as `full`. Null until enough pods for an
 * acknowledgement have reported their space.
 */
export function takenBytesOf(
  state: Pick<CoordinatorState, "pods" | "sentBytes" | "config" | "quorums">,
  capacityBytes: number,
): number | null {
  const knownCount = state.pods.filter(({ room }) => room.freeBytes !== FREE_BYTES_UNKNOWN).length;
  if (knownCount < state.quorums.acknowledge) return null;
  return Math.max(0, capacityBytes - freeBytesOf(state));
}

/**
 * Counts the space that an upload takes on each pod until the pod reports again. Otherwise all clients of an almost
 * full vault would be admitted for the same last bytes, and those that find none left would wait until their upload is
 * proved dead.
 */
export function reserveRoom(state: CoordinatorState, { kind, payloads }: PutRequest): void {
  if (kind !== "tombstone") state.sentBytes += (payloads[0]?.length ?? 0) + RECORD_BYTES_MIN;
}

export type SpaceRefusal = "full" | "unavailable";

/** Returns null if the upload may be tried. `unavailable`: there will be space once pods have compacted their logs. */
export function refusalFor(
  state: CoordinatorState,
  { kind, sizeBytes, isReplacement }: Pick<PutRequest, "kind" | "sizeBytes" | "isReplacement">,
): SpaceRefusal | null {
  if (kind === "tombstone" || isReplacement === true) return null;
  if (freeBytesOf(state) < sizeBytes || freeBytesOf(state) === 0) return "full";
  const shortCount = state.pods.filter(({ room }) => room.isShort).length;
  return shortCount >= state.quorums.defeat ? "unavailable" : null;
}
