/**
 * Learns from a peer which uploads exist. Pods hold nearly the same, so the peer first sends the digests of its index;
 * only buckets that differ are read, page by page, in the order in which their uploads arrived at the peer. Uploads
 * that reach the peer during the comparison may be missed: their authors take care of them.
 *
 * A comparison is with one boot of the peer. A later boot may have lost uploads of an equal bucket, and its pages use
 * another order of arrival; so the comparison then restarts.
 */
import { createDigests, filledBuckets } from "../digest.ts";
import type { PodEffect } from "../effects.ts";
import { type PodMessage, podAddress } from "../messages/index.ts";
import type { UploadId } from "../shard.ts";
import type { PodEntry } from "./entry.ts";
import { isBelowHorizon } from "./horizon.ts";
import { addEntry, type Comparison, type Doubting, keepFromPeers, type PodState } from "./state.ts";

type Received<Type extends PodMessage["type"]> = Extract<PodMessage, { type: Type }>;

const UPLOADS_PER_PAGE = 256;
/** Limits of a step that searches for uploads which the peer lacks: arrivals checked, and uploads read. */
const ARRIVALS_PER_STEP = 65_536;
const LACKING_PER_STEP = 512;

/** Requests the missing parts of the comparison. */
export function askPeer<Position>(state: PodState<Position>, podIndex: number): PodEffect<Position> {
  const { podIndex: from, bootId } = state.identity;
  const comparison = state.comparisons.get(podIndex);
  const message: PodMessage =
    comparison === undefined
      ? { type: "pod.compare", from, bootId }
      : { type: "pod.index", from, bootId, buckets: comparison.buckets, after: comparison.after };
  return { type: "send", to: podAddress(podIndex), message };
}

export function compare<Position>(
  state: PodState<Position>,
  { from, bootId }: Received<"pod.compare">,
): PodEffect<Position>[] {
  const digests = filledBuckets(state.bucketDigests);
  const message = { type: "pod.digests", bootId, ...speaker(state), digests } as const;
  return [{ type: "send", to: podAddress(from), message }];
}

export function index<Position>(
  state: PodState<Position>,
  { from, bootId, buckets, after }: Received<"pod.index">,
): PodEffect<Position>[] {
  const wanted = new Set(buckets);
  const uploads = [];
  let next = after;
  let isLast = true;
  for (const arrival of state.entries.arrivals(after, Number.POSITIVE_INFINITY, wanted)) {
    const entry = state.entries.atArrival(arrival);
    if (state.hearsay.has(entry.upload.uploadId)) continue;
    if (uploads.length === UPLOADS_PER_PAGE) {
      isLast = false;
      break;
    }
    uploads.push(entry.upload);
    next = arrival;
  }
  const page = { type: "pod.indexPage", bootId, ...speaker(state), after, next, uploads, isLast } as const;
  return [{ type: "send", to: podAddress(from), message: page }];
}

function speaker<Position>({ identity, lifecycle, horizon }: PodState<Position>) {
  const isReplayed = lifecycle === "comparing" || lifecycle === "settled";
  return { from: identity.podIndex, fromBootId: identity.bootId, isReplayed, horizon };
}

/** Returns the next question, or null if there is none or the answer changes nothing. */
export function takeDigests<Position>(
  state: PodState<Position>,
  { from, fromBootId: peerBootId, digests }: Received<"pod.digests">,
): PodEffect<Position>[] | null {
  const known = state.comparisons.get(from);
  if (known?.isDone || known?.peerBootId === peerBootId) return null;
  // A bucket that the peer does not list is empty there, and may hold uploads here that were deleted and forgotten.
  const theirs = createDigests();
  for (const { bucket, digest } of digests) theirs[bucket] = digest;
  const buckets: number[] = [];
  for (let bucket = 0; bucket < theirs.length; bucket += 1) {
    if (theirs[bucket] !== state.bucketDigests[bucket]) buckets.push(bucket);
  }
  const isDone = buckets.length === 0;
  state.comparisons.set(from, { peerBootId, buckets, after: 0, isDone, named: new Map(), doubting: null });
  return isDone ? [] : [askPeer(state, from)];
}

/** Takes a page of the peer's index; returns the next question, or null, like `takeDigests`. */
export function takePage<Position>(
  state: PodState<Position>,
  { from, fromBootId, after, next, uploads, isLast, horizon }: Received<"pod.indexPage">,
  nowMs: number,
): PodEffect<Position>[] | null {
  const comparison = state.comparisons.get(from);
  if (comparison === undefined || comparison.isDone) return null;
  if (comparison.peerBootId !== fromBootId) {
    state.comparisons.delete(from);
    return [askPeer(state, from)];
  }
  if (comparison.after !== after || comparison.doubting !== null) return null;
  for (const upload of uploads) {
    const arrival = state.entries.arrivalOf(upload.uploadId);
    markNamed(comparison, arrival ?? state.nextArrival);
    if (arrival !== undefined) continue;
    addEntry(state, upload, { payloadCrc: 0, state: "known", position: null, bornMs: nowMs });
    if (isBelowHorizon(state, upload)) keepFromPeers(state, upload.uploadId);
  }
  const doubting = isLast ? { horizon, after: 0 } : null;
  state.comparisons.set(from, { ...comparison, after: next, doubting });
  return isLast ? doubtWhatPeerLacks(state, from) : [askPeer(state, from)];
}

/** Arrivals per array of bits. */
const ARRIVALS_PER_PART = 1024;

/** Replaces the array, because copies of the state share it. */
function markNamed({ named }: Comparison, arrival: number): void {
  const part = Math.floor(arrival / ARRIVALS_PER_PART);
  const bits = named.get(part)?.slice() ?? new Uint8Array(ARRIVALS_PER_PART / 8);
  const at = arrival % ARRIVALS_PER_PART;
  bits[at >>> 3] = (bits[at >>> 3] as number) | (1 << (at & 7));
  named.set(part, bits);
}

function isNamed({ named }: Comparison, arrival: number): boolean {
  const bits = named.get(Math.floor(arrival / ARRIVALS_PER_PART));
  const at = arrival % ARRIVALS_PER_PART;
  return bits !== undefined && ((bits[at >>> 3] as number) & (1 << (at & 7))) !== 0;
}

/**
 * Asks again for the outcomes of uploads that this pod holds below the peer's horizon and the peer does not know: they
 * may have been deleted and forgotten since, if this drive has lost their outcome. Uploads that the peer knows only
 * from others count as unknown, or two drives that have lost the same outcome would confirm each other's upload.
 * Tombstones bring nothing back, and are skipped.
 *
 * A step looks through some of the arrivals, and a timer continues until the comparison is done.
 */
export function doubtWhatPeerLacks<Position>(
  state: PodState<Position>,
  podIndex: number,
): PodEffect<Position>[] {
  const comparison = state.comparisons.get(podIndex);
  if (comparison?.doubting == null) return [];
  const { doubted, after } = findLacking(state, comparison, comparison.doubting);
  for (const uploadId of doubted) {
    const entry = state.entries.wake(uploadId) as PodEntry<Position>;
    entry.outcome = null;
    state.unresolved.set(uploadId, entry);
  }
  const isDone = after >= state.nextArrival;
  const changed = isDone
    ? { isDone, named: new Map<number, Uint8Array>(), doubting: null }
    : { doubting: { ...comparison.doubting, after } };
  state.comparisons.set(podIndex, { ...comparison, ...changed });
  return isDone ? [] : [{ type: "setTimer", key: `${DOUBT_TIMER}${podIndex}`, delayMs: 0 }];
}

/** Begins the key of the timer of `doubtWhatPeerLacks`; the index of the peer follows. */
export const DOUBT_TIMER = "doubt:";

/** Finds uploads to doubt, and returns how far this step has searched. */
function findLacking<Position>(
  { entries }: PodState<Position>,
  comparison: Comparison,
  { horizon, after }: Doubting,
): { readonly doubted: readonly UploadId[]; readonly after: number } {
  const doubted: UploadId[] = [];
  const end = after + ARRIVALS_PER_STEP + 1;
  let readCount = 0;
  for (const arrival of entries.arrivals(after, end, new Set(comparison.buckets))) {
    if (isNamed(comparison, arrival)) continue;
    if (readCount === LACKING_PER_STEP) return { doubted, after: arrival - 1 };
    readCount += 1;
    const { upload, outcome } = entries.atArrival(arrival);
    if (outcome !== null && upload.order < horizon && upload.kind !== "tombstone")
      doubted.push(upload.uploadId);
  }
  return { doubted, after: end - 1 };
}
