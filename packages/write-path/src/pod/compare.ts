/**
 * Learning from a peer which uploads there are. Pods hold nearly the same, so the peer first tells the digests of its
 * index; only buckets that differ are read, page by page, in the order in which their uploads came to the peer. What it
 * hears of meanwhile may be missed: of that, whoever is responsible takes care.
 *
 * A comparison is with one boot of the peer. What an earlier one held in a bucket that was alike, a later one may have
 * lost, and its pages count by another order of arrival; so then it begins anew.
 */
import type { PodEffect } from "../effects.ts";
import { type PodMessage, podAddress } from "../messages.ts";
import { filledBuckets } from "./digest.ts";
import { addEntry, type PodState } from "./state.ts";

type Received<Type extends PodMessage["type"]> = Extract<PodMessage, { type: Type }>;

const UPLOADS_PER_PAGE = 256;

/** Asks for what is missing of the comparison. */
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
  for (const entry of state.entries.values()) {
    if (entry.arrival <= after || !wanted.has(entry.bucket)) continue;
    if (uploads.length === UPLOADS_PER_PAGE) {
      isLast = false;
      break;
    }
    uploads.push(entry.upload);
    next = entry.arrival;
  }
  const page = { type: "pod.indexPage", bootId, ...speaker(state), after, next, uploads, isLast } as const;
  return [{ type: "send", to: podAddress(from), message: page }];
}

function speaker<Position>({ identity, lifecycle }: PodState<Position>) {
  const isReplayed = lifecycle === "comparing" || lifecycle === "settled";
  return { from: identity.podIndex, fromBootId: identity.bootId, isReplayed };
}

/** Null when that changes nothing; otherwise the next question, if there is one. */
export function takeDigests<Position>(
  state: PodState<Position>,
  { from, fromBootId: peerBootId, digests }: Received<"pod.digests">,
): PodEffect<Position>[] | null {
  const known = state.comparisons.get(from);
  if (known?.isDone || known?.peerBootId === peerBootId) return null;
  const buckets = digests
    .filter(({ bucket, digest }) => state.bucketDigests[bucket] !== digest)
    .map(({ bucket }) => bucket);
  const isDone = buckets.length === 0;
  state.comparisons.set(from, { peerBootId, buckets, after: 0, isDone });
  return isDone ? [] : [askPeer(state, from)];
}

/** The same of a page. */
export function takePage<Position>(
  state: PodState<Position>,
  { from, fromBootId, after, next, uploads, isLast }: Received<"pod.indexPage">,
  nowMs: number,
): PodEffect<Position>[] | null {
  const comparison = state.comparisons.get(from);
  if (comparison === undefined || comparison.isDone) return null;
  if (comparison.peerBootId !== fromBootId) {
    state.comparisons.delete(from);
    return [askPeer(state, from)];
  }
  if (comparison.after !== after) return null;
  for (const upload of uploads) {
    if (state.entries.has(upload.uploadId)) continue;
    addEntry(state, upload, { payloadCrc: 0, state: "known", position: null, bornMs: nowMs });
  }
  state.comparisons.set(from, { ...comparison, after: next, isDone: isLast });
  return isLast ? [] : [askPeer(state, from)];
}
