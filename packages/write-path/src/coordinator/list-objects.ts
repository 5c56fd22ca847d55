/**
 * Answers LIST: the union of the answers of enough pods, one version per key, each proved before it is shown. One pod
 * sends its page and the others its digest; a pod with a different digest is asked for its page.
 */
import { groupVersions, lastListedKeys } from "../common-prefix.ts";
import type { CoordinatorEffect, CoordinatorEvent } from "../effects.ts";
import { compareKeys } from "../key-order.ts";
import { digestOfPage, type ListPage } from "../list-digest.ts";
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
/** Wait before all pods are asked; exceeds the time of a long list, which more questions would only slow down. */
const HEDGE_AFTER_MS = 500;
export const LIST_DEADLINE_MS = 10_000;

export function list(
  state: CoordinatorState,
  request: Extract<CoordinatorEvent, { type: "list" }>,
  nowMs: number,
): CoordinatorEffect[] {
  const { token, bucket, prefix, after, keyCountMax, delimiter } = request;
  const deadlineMs = nowMs + LIST_DEADLINE_MS;
  return ask(state, { token, bucket, prefix, after, keyCountMax, delimiter, deadlineMs }, nowMs);
}

type Range = Pick<Listing, "bucket" | "prefix" | "after" | "keyCountMax" | "delimiter">;
type Question = Range & Pick<Listing, "token" | "deadlineMs">;

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
  const { bucket, prefix, after, keyCountMax, delimiter } = question;
  const turn = Math.floor(requestId / REQUESTS_PER_TURN);
  const pods = likelyPods(state, turn, nowMs).slice(0, state.quorums.discover);
  const teller = pods[requestId % pods.length];
  const ofPods = { type: "pod.list", requestId, bucket, prefix, after, keyCountMax, delimiter } as const;
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
  { requestId, podIndex, isSettled, versions, truncatedAfter, delimiter }: Received<"coordinator.listed">,
  nowMs: number,
): CoordinatorEffect[] {
  const listing = state.listings.get(requestId);
  if (!listing || listing.ends.size > 0) return [];
  listing.listed.set(podIndex, { isSettled, page: { versions, truncatedAfter, delimiter } });
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
  const [first] = listing.listed.values();
  if (first === undefined || listing.alike.size === 0) return [];
  const { page } = first;
  const digest = digestOfPage(page);
  const others = [...listing.alike].filter(([, said]) => said.digest !== digest);
  for (const [podIndex, said] of listing.alike) {
    const { isSettled } = said;
    if (said.digest === digest) listing.listed.set(podIndex, { isSettled, page });
  }
  listing.alike.clear();
  return others.map(([podIndex]) => ({ type: "send", to: podAddress(podIndex), message: pageOf(listing) }));
}

/** Creates the request for a whole page. */
function pageOf({ requestId, bucket, prefix, after, keyCountMax, delimiter }: Listing): Message {
  return { type: "pod.list", requestId, bucket, prefix, after, keyCountMax, isBrief: false, delimiter };
}

export function stashListed(
  state: CoordinatorState,
  { requestId, deviceId, uploads, truncatedAfter }: Received<"coordinator.stashListed">,
  nowMs: number,
): CoordinatorEffect[] {
  const listing = state.listings.get(requestId);
  if (!listing || listing.ends.size > 0) return [];
  const versions = uploads.map((upload) => ({ upload, holds: "durable", isCommitted: false }) as const);
  listing.stashListed.set(deviceId, { versions, truncatedAfter, delimiter: "" });
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

type Answer = Pick<ListPage, "versions" | "truncatedAfter">;

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
  const pages = [...[...pods.values()].map(({ page }) => page), ...stash.values()];
  const parts = withoutRepeats(pages);
  const views = parts.flatMap(({ versions }) => versions);
  const committed = new Set(views.filter((view) => view.isCommitted).map(({ upload }) => upload.uploadId));
  const merged = mergeVersions(parts, (uploadId) => ends.get(uploadId) === "dead");
  const isOpen = ({ uploadId }: UploadHeader) => !committed.has(uploadId) && ends.get(uploadId) !== "live";
  const isShown = (upload: UploadHeader) => upload.kind === "object" && !isOpen(upload);
  const grouped = groupVersions(merged.tops, listing, lastListedKeys(pages, listing.prefix), isShown);
  const { tops } = grouped;
  const open = tops.filter(isOpen);
  const fresh = open.filter(({ uploadId }) => !ends.has(uploadId));
  for (const { uploadId } of fresh) ends.set(uploadId, null);
  if (open.length > 0) {
    const waiter = { type: "list", listId: requestId } as const;
    return fresh.flatMap((upload) => resolve(state, upload, waiter, false, nowMs));
  }
  state.listings.delete(requestId);
  const objects = tops.filter(({ kind }) => kind === "object");
  const uploads = objects.slice(0, listing.keyCountMax);
  const cut =
    objects.length > uploads.length
      ? (uploads.at(-1)?.key ?? null)
      : lowestKey(merged.truncatedAfter, grouped.truncatedAfter);
  return [
    { type: "answerList", token: listing.token, outcome: { type: "listed", uploads, truncatedAfter: cut } },
  ];
}

function lowestKey(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return compareKeys(one, other) < 0 ? one : other;
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
  // Assembles the page only when all outcomes are known: that is slow, and a page may await a large number of them.
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
