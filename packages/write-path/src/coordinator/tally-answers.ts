/** Sums up the answers of pods and devices to a resolution, and decides which of two answers of one pod counts. */
import type { PodProbeAnswer } from "../messages/index.ts";
import type { CoordinatorState, Resolution } from "./state.ts";

/** Time to wait for silent nodes before the others' answers decide. */
const PATIENCE_MS = 500;

export interface Tally {
  durable: number[];
  /** Pods that hold the shard, durably or not. */
  holding: number[];
  refused: number[];
  /** Distinct shards found anywhere. */
  shardCount: number;
  /**
   * True if every pod has answered and is settled, and the upload was never acknowledged, because fewer than k of its
   * shards exist, including damaged ones and one for each silent stash device. An acknowledged upload had q headers,
   * of which the loss of m - 1 drives leaves k. A device keeps at most one shard of an upload (placement.ts).
   */
  isHopeless: boolean;
  /**
   * True if fewer than k shards can be read, but k or more exist or are damaged. The upload may have been
   * acknowledged, so it counts as live, although its bytes are unavailable until drives come back. It can no longer
   * be proved dead: at most m pods do not know it, and pods that know it make no promise while the evidence lasts.
   */
  isLost: boolean;
  /**
   * True if some shards are damaged, and the damaged and the existing ones, plus one for each silent stash device,
   * number at least k. Pods that do not know the upload are then not asked for promises, because the stash offers them
   * its shards, even damaged ones. It is false once all nodes have answered, and m + 1 pods have promised or are
   * offered nothing, because an acknowledged upload has at most m of these.
   */
  mayBeLost: boolean;
  /**
   * True if fewer than k shards exist, even if each silent pod and device holds one, so that nothing can be rebuilt
   * now.
   */
  isBeyondRepair: boolean;
  /** True if every pod and every device has answered, and all pods are settled. */
  isFinalCount: boolean;
  /** True while silent nodes may still answer in time. */
  isPatient: boolean;
}

/** Called at every answer, for every upload that a list proves, so it iterates over the pods once. */
export function tally(
  state: CoordinatorState,
  { pods, stash, damagedOnStash, startedMs }: Resolution,
  nowMs: number,
): Tally {
  const [durable, holding, refused, damaged]: [number[], number[], number[], number[]] = [[], [], [], []];
  let [settledCount, unknowingCount] = [0, 0];
  for (const [podIndex, { answer, isSettled }] of pods) {
    if (answer === "durable") durable.push(podIndex);
    if (answer === "durable" || answer === "written") holding.push(podIndex);
    if (hasPromised(answer)) refused.push(podIndex);
    if (answer === "damaged") damaged.push(podIndex);
    if (isUnknowing(answer)) unknowingCount += 1;
    if (isSettled) settledCount += 1;
  }
  const onStash = [...stash.values()].flat();
  const shardCount = onStash.length === 0 ? holding.length : new Set([...holding, ...onStash]).size;
  const silentDeviceCount = state.devices.size - stash.size;
  const silentCount = state.pods.length - pods.size + silentDeviceCount;
  const { decode, refuse } = state.quorums;
  const evidenceCount =
    damaged.length === 0 && damagedOnStash.size === 0
      ? shardCount
      : new Set([...holding, ...onStash, ...damaged, ...damagedOnStash]).size;
  const areSettled = settledCount === state.pods.length;
  const mayBeAcknowledged = evidenceCount + silentDeviceCount >= decode;
  const isFinalCount = areSettled && silentDeviceCount === 0;
  const isPatient = silentCount > 0 && nowMs - startedMs < PATIENCE_MS;
  const isDamaged = mayBeAcknowledged && evidenceCount > shardCount && shardCount < decode;
  const isUnknown = () => countUnoffered(pods, [...onStash, ...damagedOnStash]) >= refuse;
  const mayBeLost = isDamaged && !(isFinalCount && isUnknown());
  return {
    durable,
    holding,
    refused,
    shardCount,
    isHopeless: areSettled && !mayBeAcknowledged,
    isLost: isFinalCount && mayBeLost && unknowingCount < refuse,
    mayBeLost,
    isBeyondRepair: !isPatient && shardCount + silentCount < decode,
    isFinalCount,
    isPatient,
  };
}

/** Counts the pods that do not know the upload, and have promised never to take it or have no shard on the stash. */
function countUnoffered(pods: Resolution["pods"], onStash: readonly number[]): number {
  const offered = new Set(onStash);
  let count = 0;
  for (const [podIndex, { answer }] of pods) {
    if (hasPromised(answer) || (isUnknowing(answer) && !offered.has(podIndex))) count += 1;
  }
  return count;
}

function isUnknowing(answer: PodProbeAnswer): boolean {
  return answer === "absent" || answer === "superseded" || hasPromised(answer);
}

/**
 * Returns true if the next answer does not replace the known one, because answers may overtake each other. Within a
 * boot a promise is never taken back before the upload is proved to live, and a durable shard ends only in a promise,
 * after a proof that the upload is dead, or in damage.
 */
export function isFinal(known: PodProbeAnswer, next: PodProbeAnswer): boolean {
  return hasPromised(known) || (known === "durable" && next !== "damaged" && !hasPromised(next));
}

export function hasPromised(answer: PodProbeAnswer): boolean {
  return answer === "refused" || answer === "knownRefused";
}
