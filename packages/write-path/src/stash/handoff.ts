/** Hinted handoff: shards kept here for a pod that was down or slow, or has lost its page cache. */
import type { Send, SetTimer, ShardRead, StashEffect } from "../effects.ts";
import { FAULT_PASSES_WITHIN_MS } from "../fault-patience.ts";
import {
  type Address,
  type PodIdentity,
  podAddress,
  type StashMessage,
  stashAddress,
} from "../messages/index.ts";
import type { ShardHeader } from "../shard.ts";
import { isOfStranger } from "../speaker.ts";
import {
  countRefusal,
  isUnreadable,
  type LoadAnswer,
  moveToEnd,
  noteReadability,
  type PendingLoad,
  type StashEntry,
  type StashRefusal,
  type StashState,
} from "./state.ts";

/** Shards per handoff message: 8 of 64 KiB are half a megabyte. */
const SHARDS_PER_HANDOFF = 8;
/** Places in an offer reserved for unreadable shards, if there are any. */
const UNREADABLE_PER_OFFER_MIN = 2;
/** Limit on concurrent reads, because each shard occupies memory until it is sent. Pulls of all pods need 160. */
const LOADS_MAX = 256;
/** Time after which an unpurged shard is offered to its pod. Flushes are every few seconds. */
export const OFFER_AFTER_MS = 30_000;
const OFFER_EVERY_MS = 10_000;
/** Pause between offers while a pod accepts them and more than a page of shards is left, as after a long partition. */
const OFFER_SOON_MS = 1000;

export const offerTimer: SetTimer = { type: "setTimer", key: "offer", delayMs: OFFER_EVERY_MS };

/** Asks a pod to announce its boot, because a restarted device knows none. */
export function askToAnnounce<Position>({ deviceId }: StashState<Position>, podIndex: number): Send {
  return { type: "send", to: podAddress(podIndex), message: { type: "pod.announce", deviceId } };
}

/**
 * Answers a starting pod, which asks for everything kept for it, page by page. From the first page on, appends meant
 * for an earlier boot are refused, and the last page is withheld while one of them is still being written: nothing can
 * arrive unnoticed by the pod.
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
  const waiting = all
    .filter((entry) => entry.arrival > cursor && entry.state === "durable")
    .sort((a, b) => a.arrival - b.arrival);
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

/**
 * Returns the reason why a pull announces no pod: its drive is not (or no longer) the pod's, or its boot has been
 * followed by another. Null if it announces one.
 */
function strangerReason<Position>(state: StashState<Position>, pod: PodIdentity): StashRefusal | null {
  if (pod.driveId !== state.config.podDriveIds[pod.podIndex]) return "pull from another drive";
  const known = state.pods.get(pod.podIndex);
  const isOver = known && known.driveId === pod.driveId && known.bootId > pod.bootId;
  return isOver ? "pull from an earlier boot" : null;
}

/** Offers leftover shards repeatedly, a page per pod; the pod stores them if needed, and purges. */
export function offerLeftovers<Position>(
  state: StashState<Position>,
  nowMs: number,
): StashEffect<Position>[] {
  if (state.lifecycle !== "serving") return [offerTimer];
  const effects: StashEffect<Position>[] = [];
  let delayMs = OFFER_EVERY_MS;
  for (const podIndex of state.byPod.keys()) {
    const pod = state.pods.get(podIndex);
    if (!pod) {
      effects.push(askToAnnounce(state, podIndex));
      continue;
    }
    const page = leftoversOnPage(state, podIndex, nowMs);
    for (const entry of page) {
      entry.offeredMs = nowMs;
      moveToEnd(state, entry);
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
 * Selects the leftovers of a page. Unreadable shards are not purged soon and would fill every page, so the others come
 * first. Unreadable ones keep a few places, because a pod that learns of their uploads makes no promise against them.
 */
function leftoversOnPage<Position>(
  { byPod, unreadableByPod }: StashState<Position>,
  podIndex: number,
  nowMs: number,
): StashEntry<Position>[] {
  const unreadable = firstDue(unreadableByPod.get(podIndex)?.values() ?? [], nowMs);
  const readable = firstDue(byPod.get(podIndex)?.values() ?? [], nowMs, (entry) => !isUnreadable(entry));
  const reservedCount = Math.min(unreadable.length, UNREADABLE_PER_OFFER_MIN);
  return [...readable.slice(0, SHARDS_PER_HANDOFF - reservedCount), ...unreadable].slice(
    0,
    SHARDS_PER_HANDOFF,
  );
}

/** Returns a page of entries whose offer is due. */
function firstDue<Position>(
  entries: Iterable<StashEntry<Position>>,
  nowMs: number,
  isWanted: (entry: StashEntry<Position>) => boolean = () => true,
): StashEntry<Position>[] {
  const due: StashEntry<Position>[] = [];
  for (const entry of entries) {
    if (entry.state !== "durable" || nowMs - entry.offeredMs < OFFER_AFTER_MS) continue;
    if (isWanted(entry)) due.push(entry);
    if (due.length === SHARDS_PER_HANDOFF) break;
  }
  return due;
}

/**
 * Reads the bytes of these entries, and answers when all are read. While too many reads are pending there is no answer:
 * pods pull again, readers ask other nodes, and leftovers are offered again.
 */
export function load<Position>(
  state: StashState<Position>,
  entries: readonly StashEntry<Position>[],
  answer: LoadAnswer,
): StashEffect<Position>[] {
  if (entries.length === 0) return send(state, { answer, shards: [], damaged: [], isUnreadable: false });
  if (state.loads.size + entries.length > LOADS_MAX) {
    countRefusal(state, "load while too many are being read");
    return [];
  }
  const pending: PendingLoad = {
    awaitedCount: entries.length,
    shards: [],
    damaged: [],
    isUnreadable: false,
    answer,
  };
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
  read: ShardRead,
  nowMs: number,
): StashEffect<Position>[] {
  const load = state.loads.get(loadId);
  if (!load) return [];
  state.loads.delete(loadId);
  const { entry, pending } = load;
  pending.awaitedCount -= 1;
  if (read.type === "shard") {
    entry.isDamaged = false;
    entry.unreadableSinceMs = null;
    pending.shards.push(read.shard);
  } else if (read.type === "corrupt") {
    noteCorrupt(state, entry);
    pending.damaged.push(shardHeader(entry));
  } else if (read.type === "unreadable") {
    entry.unreadableSinceMs ??= nowMs;
    // The pod must not wait for a sector that stays unreadable.
    if (nowMs - entry.unreadableSinceMs >= FAULT_PASSES_WITHIN_MS) pending.damaged.push(shardHeader(entry));
    else pending.isUnreadable = true;
  }
  noteReadability(state, entry);
  return pending.awaitedCount > 0 ? [] : send(state, pending);
}

const shardHeader = <Position>({ upload, shardIndex, payloadCrc }: StashEntry<Position>): ShardHeader => {
  return { upload, shardIndex, payloadCrc };
};

/**
 * Marks an entry as damaged. Bytes that fail their checksum do not count as a copy, and the upload's other shards make
 * up for them. But the fact that the shard was durable here is still evidence, without which an acknowledged upload
 * could be taken for one that never was: so the entry and its record stay until the pod has the shard.
 */
export function noteCorrupt<Position>(state: StashState<Position>, entry: StashEntry<Position>): void {
  if (entry.isDamaged || entry.state !== "durable") return;
  countRefusal(state, "corrupt shard");
  entry.isDamaged = true;
  noteReadability(state, entry);
}

function send<Position>(
  state: StashState<Position>,
  { answer, shards, damaged, isUnreadable }: Omit<PendingLoad, "awaitedCount">,
): StashEffect<Position>[] {
  const { deviceId } = state;
  if (answer.type === "read") {
    const { to, requestId } = answer;
    const missingReason =
      shards.length > 0 ? null : isUnreadable ? "unreadable" : damaged.length > 0 ? "damaged" : null;
    const message = {
      type: "coordinator.loaded",
      requestId,
      from: stashAddress(deviceId),
      shards,
      missingReason,
    } as const;
    return [{ type: "send", to, message }];
  }
  // A page without the shard would make the pod believe that it has pulled it, so there is no answer and the pod asks
  // again.
  if (isUnreadable && answer.cursor !== null) return [];
  const { podIndex, bootId, cursor, isLast } = answer;
  const message = { type: "pod.handoff", deviceId, bootId, shards, damaged, cursor, isLast } as const;
  return [{ type: "send", to: podAddress(podIndex), message }];
}
