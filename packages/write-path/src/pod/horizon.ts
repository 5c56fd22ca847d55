/**
 * Forgets deleted objects. A tombstone must stay while an older version of its key can still arrive from anywhere: a
 * pod that was away, a shard left on the stash, a message in transit. A promise never to take an upload must stay for
 * the same reason. Without a limit, every key that was ever deleted would keep a record and memory forever.
 *
 * Three orders set the limit.
 *
 * - The *horizon* of a pod: it takes no upload below it that it does not hold, unless a coordinator proves that the
 *   upload lives (a repair). It is a promise never to take any of them, given at once for all, so it is durable before
 *   it counts, and it only rises. Promises for single uploads below it need no longer be kept.
 * - The *final* order of a pod: everything below it is final here. It is not above the horizon, nor above any entry
 *   that is not durable here or not complete on all n pods, nor above one whose end is not durable here yet, because a
 *   power cut would bring that entry back.
 * - The *floor*: the lowest of these orders over all n pods, which coordinators gather and send (coordinator/step.ts).
 *
 * A tombstone below the floor is dropped. No version that it superseded can come back:
 *
 * 1. It was complete, so all n pods held it; and it was final on each of them, so each had dropped every version below
 *    it by then. None of them holds such a version, and it is gone before the tombstone is: kills reach the medium in
 *    their order. A pod that took the tombstone as a repair may have reported before that everything below a higher
 *    order is final, so a tombstone that is resolved is complete only when all pods know that it is committed
 *    (coordinator/resolve-outcome.ts).
 * 2. If such a version still exists, on the stash or in a message, it has no effect: every pod has a horizon above it
 *    and takes it neither as a put nor from a push nor from a hand-off. A new drive has no horizon, but new drives, and
 *    drives whose media lost their horizon, are at most m - 1 within the fault budget. So at least n - (m - 1) >= m + 1
 *    pods answer that they have promised, and the leftover is proved dead once a node asks.
 * 3. A repair that was in transit for longer than all this is refused below the floor by a pod that does not know the
 *    upload: every upload that lives below the floor is already on every pod, or known there.
 * 4. A drive that lied about its syncs may lose the tombstone and the end of the version below it at once. So the
 *    outcomes in a log count only after the pod has compared itself with its peers (isVouchedFor), and uploads that a
 *    peer with a higher horizon does not have are asked about first (compare.ts).
 *
 * A promise for everything below the horizon is as safe as one for a single upload: pods promise when they are settled
 * and never held the upload, which any of them may do at any time (coordinator/resolve-outcome.ts). An acknowledged
 * upload that a pod missed is proved to live by the others, and the repair is taken.
 */
import type { PodEffect } from "../effects.ts";
import type { UploadHeader } from "../shard.ts";
import { LOWEST_ORDER, lowestOf, lowestOrderAt, type VersionOrder } from "../version-order.ts";
import type { PodEntry } from "./entry.ts";
import { type PodState, removeEntry } from "./state.ts";

/** Puts take at most ten seconds (PUT_DEADLINE_MS); a horizon below the puts in progress causes no retry. */
export const HORIZON_AFTER_MS = 10_000;
/** A pod that no coordinator has greeted for this long may be cut off, and would refuse uploads that it missed. */
const GREETED_WITHIN_MS = 5000;
/** Limit on tombstones dropped per greeting, so that no step takes long. */
const DROPS_PER_GREETING = 2048;

/**
 * Returns true if the horizon is this pod's promise never to take the upload. Bytes that it held and lost need a
 * separate promise; until then their record may be in the log.
 */
export function isBelowHorizon<Position>(
  state: PodState<Position>,
  { uploadId, order }: UploadHeader,
): boolean {
  if (order >= state.horizon) return false;
  const entry = state.entries.get(uploadId);
  if (entry === undefined) return true;
  const promise = state.refused.get(uploadId);
  const isPromisePending = promise?.isKnowing === true && !promise.isDurable;
  return entry.state === "known" && !state.damaged.has(uploadId) && !isPromisePending;
}

/**
 * Returns true if only a repair may bring the upload here. A horizon on its way to the medium counts for that as well:
 * it was chosen below everything that is not durable, and uploads after that choice would be covered by its promise.
 */
export function isClosedTo<Position>(state: PodState<Position>, upload: UploadHeader): boolean {
  const isPending = state.pendingHorizon !== null && upload.order < state.pendingHorizon;
  return isBelowHorizon(state, upload) || (isPending && !state.entries.has(upload.uploadId));
}

/** Returns the order below which the pod takes no put that it does not already hold. */
export function closedBelowOf<Position>({ horizon, pendingHorizon }: PodState<Position>): VersionOrder {
  return pendingHorizon ?? horizon;
}

/**
 * Returns true if the upload can no longer be proved to live: every live upload below the floor is known on every
 * pod.
 */
export function isForgotten<Position>(state: PodState<Position>, { uploadId, order }: UploadHeader): boolean {
  return order < state.floor && !state.entries.has(uploadId);
}

/** Raises the horizon if there is something to forget. */
export function advanceHorizon<Position>(state: PodState<Position>, nowMs: number): PodEffect<Position>[] {
  const { tombstones, refused, pendingHorizon, lifecycle, floorHeardMs } = state;
  if (lifecycle !== "settled") return [];
  const open = [...state.unresolved.values(), ...state.dirty, ...(state.flushing ?? [])];
  const kills = [state.openKill, state.flushingKill].filter((order) => order !== null);
  state.finalBelow = lowestOf(state.horizon, [...open.map(orderOf), ...kills]);
  if (pendingHorizon !== null || nowMs - floorHeardMs > GREETED_WITHIN_MS) return [];
  const horizon = lowestOf(
    lowestOrderAt(nowMs + state.wallAheadMs - HORIZON_AFTER_MS),
    open.filter((entry) => entry.state !== "durable").map(orderOf),
  );
  const orders = [[...tombstones.values()].map(orderOf), [...refused.values()].map(({ order }) => order)];
  // Raising it costs a page and a sync, so it must cover something that the old horizon does not.
  const isGain = orders.flat().some((order) => order >= state.horizon && order < horizon);
  if (!isGain) return [];
  state.pendingHorizon = horizon;
  return [{ type: "persistHorizon", horizon }];
}

const orderOf = <Position>({ upload }: PodEntry<Position>): VersionOrder => upload.order;

export function horizonPersisted<Position>(
  state: PodState<Position>,
  horizon: VersionOrder,
): PodEffect<Position>[] {
  state.pendingHorizon = null;
  if (horizon > state.horizon) state.horizon = horizon;
  return forgetRefusals(state);
}

/** Drops promises that the horizon covers as well. */
export function forgetRefusals<Position>(state: PodState<Position>): PodEffect<Position>[] {
  const effects: PodEffect<Position>[] = [];
  for (const [uploadId, { order, isDurable }] of state.refused) {
    // A promise of unknown order was written before orders were stored with promises.
    if (!isDurable || order === LOWEST_ORDER || order >= state.horizon) continue;
    effects.push(...forgetRefusal(state, uploadId));
  }
  return effects;
}

/** Drops a promise that is void, or that the horizon covers. */
export function forgetRefusal<Position>(state: PodState<Position>, uploadId: string): PodEffect<Position>[] {
  const promise = state.refused.get(uploadId);
  if (promise === undefined) return [];
  state.refused.delete(uploadId);
  // A record that is still on its way is dropped when it arrives.
  return promise.isDurable ? [{ type: "forgetRefusal", uploadId }] : [];
}

/** Drops tombstones below the floor that a coordinator sent. */
export function hearFloor<Position>(
  state: PodState<Position>,
  floor: VersionOrder,
  nowMs: number,
): PodEffect<Position>[] {
  state.floorHeardMs = nowMs;
  if (floor > state.floor) state.floor = floor;
  // Greetings arrive every second, and while a pod is away there may be very many tombstones above the floor.
  if (state.lifecycle !== "settled" || state.sweptFloor === state.floor) return [];
  const effects: PodEffect<Position>[] = [];
  let [dropCount, leftCount] = [0, 0];
  for (const entry of state.tombstones.values()) {
    if (entry.upload.order >= state.floor) continue;
    if (dropCount === DROPS_PER_GREETING || !isDroppable(state, entry)) {
      leftCount += 1;
      continue;
    }
    effects.push(...removeEntry(state, entry));
    dropCount += 1;
  }
  if (leftCount === 0) state.sweptFloor = state.floor;
  return effects;
}

/** Returns true if a tombstone below the floor may be dropped now. */
function isDroppable<Position>(state: PodState<Position>, entry: PodEntry<Position>): boolean {
  const { upload } = entry;
  // The tombstone was complete once, even if a restart has forgotten that. A tombstone on its way to the log must
  // arrive first.
  const isAtRest = entry.state === "durable" || entry.state === "known";
  // Versions that are still below it would show again.
  return isAtRest && state.entries.versionsOf(upload)[0] === entry;
}
