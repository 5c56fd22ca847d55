/** Hinted handoff: shards that wait here for a pod that was down, slow or has lost its page cache. */
import type { Send, SetTimer, StashEffect } from "../effects.ts";
import { type Address, type PodIdentity, podAddress, type StashMessage } from "../messages/index.ts";
import type { Shard } from "../shard.ts";
import { isOfStranger } from "../speaker.ts";
import {
  countRefusal,
  entryOf,
  type LoadAnswer,
  type PendingLoad,
  removeEntry,
  type StashEntry,
  type StashRefusal,
  type StashState,
} from "./state.ts";

/** Shards in one handoff message: 8 of 64 KiB are half a megabyte. */
const SHARDS_PER_HANDOFF = 8;
/** Shards being read at a time; each occupies memory until it is sent. Pulls of all pods need 160. */
const LOADS_MAX = 256;
/** A shard that nobody purged for this long is offered to its pod. Flushes are every few seconds. */
export const OFFER_AFTER_MS = 30_000;
const OFFER_EVERY_MS = 10_000;
/** While a pod takes what it is offered and there is more than a page of it, after a long partition say. */
const OFFER_SOON_MS = 1000;

export const offerTimer: SetTimer = { type: "setTimer", key: "offer", delayMs: OFFER_EVERY_MS };

/** A device that has started again knows no pod's boot, and asks. */
export function askToAnnounce<Position>({ deviceId }: StashState<Position>, podIndex: number): Send {
  return { type: "send", to: podAddress(podIndex), message: { type: "pod.announce", deviceId } };
}

/**
 * A pod that has started asks for everything kept for it, page by page. From the first page on, appends meant for an
 * earlier boot are refused, and the last page is not given while one of them is still being written: nothing can slip
 * in behind the pod's back.
 */
export function pull<Position>(
  state: StashState<Position>,
  from: Address,
  message: Extract<StashMessage, { type: "stash.pull" }>,
): StashEffect<Position>[] {
  const { pod, cursor } = message;
  const stranger = isOfStranger(from, message) ? "pull of another pod's shards" : strangerReason(state, pod);
  if (stranger !== null) {
    countRefusal(state, stranger);
    return [];
  }
  state.pods.set(pod.podIndex, pod);
  const all = [...(state.byPod.get(pod.podIndex)?.values() ?? [])];
  const waiting = all.filter((entry) => entry.arrival > cursor && entry.state === "durable");
  const page = waiting.slice(0, SHARDS_PER_HANDOFF);
  const isLast = page.length === waiting.length && all.every((entry) => entry.state === "durable");
  return load(state, page, {
    type: "handoff",
    podIndex: pod.podIndex,
    bootId: pod.bootId,
    cursor: page.at(-1)?.arrival ?? cursor,
    isLast,
  });
}

/** A drive that is not the pod's (any more), or a boot that has been followed by another, announces nobody. */
function strangerReason<Position>(state: StashState<Position>, pod: PodIdentity): StashRefusal | null {
  if (pod.driveId !== state.config.podDriveIds[pod.podIndex]) return "pull from another drive";
  const known = state.pods.get(pod.podIndex);
  const isOver = known && known.driveId === pod.driveId && known.bootId > pod.bootId;
  return isOver ? "pull from an earlier boot" : null;
}

/** What nobody purged is offered again and again, a page a pod; the pod stores it if need be, and purges. */
export function offerLeftovers<Position>(
  state: StashState<Position>,
  nowMs: number,
): StashEffect<Position>[] {
  if (state.lifecycle !== "serving") return [offerTimer];
  const effects: StashEffect<Position>[] = [];
  let delayMs = OFFER_EVERY_MS;
  for (const [podIndex, entries] of state.byPod) {
    const pod = state.pods.get(podIndex);
    if (!pod) {
      effects.push(askToAnnounce(state, podIndex));
      continue;
    }
    const page: StashEntry<Position>[] = [];
    for (const entry of entries.values()) {
      if (entry.state !== "durable" || nowMs - entry.offeredMs < OFFER_AFTER_MS) continue;
      entry.offeredMs = nowMs;
      page.push(entry);
      if (page.length === SHARDS_PER_HANDOFF) break;
    }
    if (page.length === 0) continue;
    if (page.length === SHARDS_PER_HANDOFF && state.takingPods.has(podIndex)) delayMs = OFFER_SOON_MS;
    const answer = { type: "handoff", podIndex, bootId: pod.bootId, cursor: null, isLast: false } as const;
    effects.push(...load(state, page, answer));
  }
  state.takingPods.clear();
  return [{ ...offerTimer, delayMs }, ...effects];
}

/**
 * Reads the bytes of these entries, and answers when all are read. While too many reads are pending nobody is answered:
 * pods pull again, readers ask other nodes, and leftovers are offered again.
 */
export function load<Position>(
  state: StashState<Position>,
  entries: readonly StashEntry<Position>[],
  answer: LoadAnswer,
): StashEffect<Position>[] {
  if (entries.length === 0) return send(state, answer, []);
  if (state.loads.size + entries.length > LOADS_MAX) {
    countRefusal(state, "load while too many are being read");
    return [];
  }
  const pending: PendingLoad = { awaitedCount: entries.length, shards: [], answer };
  return entries.flatMap((entry): StashEffect<Position>[] => {
    if (entry.position === null) return [];
    const loadId = state.nextLoadId++;
    state.loads.set(loadId, { entry, pending });
    return [{ type: "load", loadId, position: entry.position }];
  });
}

export function loaded<Position>(
  state: StashState<Position>,
  loadId: number,
  shard: Shard | null,
): StashEffect<Position>[] {
  const load = state.loads.get(loadId);
  if (!load) return [];
  state.loads.delete(loadId);
  const { entry, pending } = load;
  pending.awaitedCount -= 1;
  const effects = shard === null ? dropCorrupt(state, entry) : [];
  if (shard !== null) pending.shards.push(shard);
  return pending.awaitedCount > 0 ? effects : [...effects, ...send(state, pending.answer, pending.shards)];
}

/** Bytes that fail their checksum are no copy. The upload's other shards make up for them. */
export function dropCorrupt<Position>(
  state: StashState<Position>,
  entry: StashEntry<Position>,
): StashEffect<Position>[] {
  const { upload, shardIndex, position } = entry;
  if (entryOf(state, upload.uploadId, shardIndex) !== entry || position === null) return [];
  countRefusal(state, "corrupt shard");
  removeEntry(state, entry);
  return state.lifecycle === "poisoned"
    ? []
    : [{ type: "kill", uploadId: upload.uploadId, shardIndex, position }];
}

function send<Position>(
  state: StashState<Position>,
  answer: LoadAnswer,
  shards: readonly Shard[],
): StashEffect<Position>[] {
  const { deviceId } = state;
  if (answer.type === "read") {
    const { to, requestId } = answer;
    return [
      { type: "send", to, message: { type: "coordinator.loaded", requestId, from: `s${deviceId}`, shards } },
    ];
  }
  const { podIndex, bootId, cursor, isLast } = answer;
  const message = { type: "pod.handoff", deviceId, bootId, shards, cursor, isLast } as const;
  return [{ type: "send", to: podAddress(podIndex), message }];
}
