/**
 * Answers LIST: the union of the answers of enough pods, one version per key, each proved before it is shown. One pod
 * sends its page and the others its digest; a pod with a different digest is asked for its page.
 */
import type { CoordinatorEffect, CoordinatorEvent } from "../effects.ts";
import { compareKeys } from "../key-order.ts";
import { digestOfPage } from "../list-digest.ts";
import { type CoordinatorMessage, type Message, podAddress, type VersionView } from "../messages/index.ts";
import type { UploadHeader, UploadId } from "../shard.ts";
import { likelyPods, toAllDevices, toAllPods } from "./asked-nodes.ts";
import { resolve } from "./resolve-outcome.ts";
import { type CoordinatorState, isDiscovered, type Listing, type UploadEnd } from "./state.ts";

type Received<Type extends CoordinatorMessage["type"]> = Extract<CoordinatorMessage, { type: Type }>;

/**
 * Number of requests for which the same pods are asked, because a pod that lists a bucket for the first time has to
 * sort its keys.
 */
const REQUESTS_PER_TURN = 256;
/** Longer than a long list takes, because asking all pods would only slow it down. */
const HEDGE_AFTER_MS = 500;
export const LIST_DEADLINE_MS = 10_000;

export function list(
  state: CoordinatorState,
  request: Extract<CoordinatorEvent, { type: "list" }>,
  nowMs: number,
): CoordinatorEffect[] {
  const { token, bucket, prefix, after, keyCountMax } = request;
  const deadlineMs = nowMs + LIST_DEADLINE_MS;
  return ask(state, { token, bucket, prefix, after, keyCountMax, deadlineMs }, nowMs);
}

type Question = Pick<Listing, "token" | "bucket" | "prefix" | "after" | "keyCountMax" | "deadlineMs">;

function ask(state: CoordinatorState, question: Question, nowMs: number): CoordinatorEffect[] {
  const requestId = state.nextId++;
  state.listings.set(requestId, {
    ...question,
    requestId,
    listed: new Map(),
    alike: new Map(),
    stashListed: new Map(),
    ends: new Map(),
  });
  const { bucket, prefix, after, keyCountMax } = question;
  const turn = Math.floor(requestId / REQUESTS_PER_TURN);
  const pods = likelyPods(state, turn, nowMs).slice(0, state.quorums.discover);
  const teller = pods[requestId % pods.length];
  const ofPods = { type: "pod.list", requestId, bucket, prefix, after, keyCountMax } as const;
  return [
    ...pods.map((podIndex): CoordinatorEffect => {
      return { type: "send", to: podAddress(podIndex), message: { ...ofPods, isBrief: podIndex !== teller } };
    }),
    timer(requestId),
  ];
}

function timer(requestId: number): CoordinatorEffect {
  return { type: "setTimer", key: `list:${requestId}`, delayMs: HEDGE_AFTER_MS };
}

export function listed(
  state: CoordinatorState,
  { requestId, podIndex, isSettled, versions, truncatedAfter }: Received<"coordinator.listed">,
  nowMs: number,
): CoordinatorEffect[] {
  const listing = state.listings.get(requestId);
  if (!listing || listing.ends.size > 0) return [];
  listing.listed.set(podIndex, { isSettled, versions, truncatedAfter });
  listing.alike.delete(podIndex);
  return [...compareAlike(listing), ...merge(state, listing, nowMs)];
}

export function listedAlike(
  state: CoordinatorState,
  { requestId, podIndex, isSettled, digest }: Received<"coordinator.listedAlike">,
  nowMs: number,
): CoordinatorEffect[] {
  const listing = state.listings.get(requestId);
  if (!listing || listing.ends.size > 0 || listing.listed.has(podIndex)) return [];
  listing.alike.set(podIndex, { digest, isSettled });
  return [...compareAlike(listing), ...merge(state, listing, nowMs)];
}

/** Counts the first page as the answer of each pod with the same digest, and asks the others for their pages. */
function compareAlike(listing: Listing): CoordinatorEffect[] {
  const [page] = listing.listed.values();
  if (page === undefined || listing.alike.size === 0) return [];
  const { versions, truncatedAfter } = page;
  const digest = digestOfPage(page);
  const others = [...listing.alike].filter(([, said]) => said.digest !== digest);
  for (const [podIndex, said] of listing.alike) {
    const { isSettled } = said;
    if (said.digest === digest) listing.listed.set(podIndex, { isSettled, versions, truncatedAfter });
  }
  listing.alike.clear();
  return others.map(([podIndex]) => ({ type: "send", to: podAddress(podIndex), message: pageOf(listing) }));
}

/** Creates the request for a whole page. */
function pageOf({ requestId, bucket, prefix, after, keyCountMax }: Listing): Message {
  return { type: "pod.list", requestId, bucket, prefix, after, keyCountMax, isBrief: false };
}

export function stashListed(
  state: CoordinatorState,
  { requestId, deviceId, uploads, truncatedAfter }: Received<"coordinator.stashListed">,
  nowMs: number,
): CoordinatorEffect[] {
  const listing = state.listings.get(requestId);
  if (!listing || listing.ends.size > 0) return [];
  const versions = uploads.map((upload) => ({ upload, holds: "durable", isCommitted: false }) as const);
  listing.stashListed.set(deviceId, { versions, truncatedAfter });
  return merge(state, listing, nowMs);
}

/** Returns the highest version of each key that is not dead, up to the end of the shortest answer. */
export function mergeVersions(
  parts: readonly { versions: readonly { upload: UploadHeader }[]; truncatedAfter: string | null }[],
  isDead: (uploadId: UploadId) => boolean,
): { tops: UploadHeader[]; truncatedAfter: string | null } {
  const ends = parts.flatMap((part) => (part.truncatedAfter === null ? [] : [part.truncatedAfter]));
  const end = ends.sort(compareKeys)[0] ?? null;
  const byKey = new Map<string, UploadHeader>();
  for (const { versions } of parts) {
    for (const { upload } of versions) {
      if (isDead(upload.uploadId) || (end !== null && compareKeys(upload.key, end) > 0)) continue;
      const best = byKey.get(upload.key);
      if (!best || upload.order > best.order) byKey.set(upload.key, upload);
    }
  }
  const tops = [...byKey.values()].sort((a, b) => compareKeys(a.key, b.key));
  return { tops, truncatedAfter: end };
}

type Answer = Pick<Received<"coordinator.listed">, "versions" | "truncatedAfter">;

/**
 * Skips versions that the first pod reported at the same position, since most pods know the same ones and maps are
 * slow.
 */
function withoutRepeats(parts: readonly Answer[]): Answer[] {
  const [first, ...others] = parts;
  if (first === undefined) return [];
  return [
    first,
    ...others.map(({ versions, truncatedAfter }) => {
      return { versions: versions.filter((view, at) => !isRepeat(view, first.versions[at])), truncatedAfter };
    }),
  ];
}

function isRepeat(view: VersionView, known: VersionView | undefined): boolean {
  const isKnown = known?.upload.uploadId === view.upload.uploadId;
  return isKnown && (known.isCommitted || !view.isCommitted);
}

function merge(state: CoordinatorState, listing: Listing, nowMs: number): CoordinatorEffect[] {
  const { listed: pods, stashListed: stash, ends, requestId } = listing;
  if (!isDiscovered(state, pods.values(), stash.size)) return [];
  const parts = withoutRepeats([...pods.values(), ...stash.values()]);
  const views = parts.flatMap(({ versions }) => versions);
  const committed = new Set(views.filter((view) => view.isCommitted).map(({ upload }) => upload.uploadId));
  const { tops, truncatedAfter } = mergeVersions(parts, (uploadId) => ends.get(uploadId) === "dead");
  const open = tops.filter(({ uploadId }) => !committed.has(uploadId) && ends.get(uploadId) !== "live");
  const fresh = open.filter(({ uploadId }) => !ends.has(uploadId));
  for (const { uploadId } of fresh) ends.set(uploadId, null);
  if (open.length > 0) {
    const waiter = { type: "list", listId: requestId } as const;
    return fresh.flatMap((upload) => resolve(state, upload, waiter, false, nowMs));
  }
  state.listings.delete(requestId);
  const objects = tops.filter(({ kind }) => kind === "object");
  const uploads = objects.slice(0, listing.keyCountMax);
  const cut = objects.length > uploads.length ? (uploads.at(-1)?.key ?? null) : truncatedAfter;
  return [
    { type: "answerList", token: listing.token, outcome: { type: "listed", uploads, truncatedAfter: cut } },
  ];
}

export function listEnded(
  state: CoordinatorState,
  listId: number,
  uploadId: UploadId,
  end: UploadEnd,
  nowMs: number,
): CoordinatorEffect[] {
  const listing = state.listings.get(listId);
  if (!listing) return [];
  if (end === "unknown") return giveUp(state, listing);
  if (end === "superseded") {
    // These answers about the key are out of date, because the version above has been committed since.
    state.listings.delete(listId);
    return ask(state, listing, nowMs);
  }
  listing.ends.set(uploadId, end);
  // Assembles a page only once, since that takes long while the outcomes of a large number of uploads are awaited.
  for (const known of listing.ends.values()) if (known === null) return [];
  return merge(state, listing, nowMs);
}

export function listTimer(state: CoordinatorState, requestId: number, nowMs: number): CoordinatorEffect[] {
  const listing = state.listings.get(requestId);
  if (!listing) return [];
  if (nowMs >= listing.deadlineMs) return giveUp(state, listing);
  if (listing.ends.size > 0) return [timer(requestId)];
  const { bucket, prefix, after, keyCountMax } = listing;
  return [
    ...toAllPods(state, pageOf(listing)),
    ...toAllDevices(state, { type: "stash.list", requestId, bucket, prefix, after, keyCountMax }),
    timer(requestId),
  ];
}

function giveUp(state: CoordinatorState, listing: Listing): CoordinatorEffect[] {
  state.listings.delete(listing.requestId);
  return [{ type: "answerList", token: listing.token, outcome: { type: "unavailable" } }];
}
