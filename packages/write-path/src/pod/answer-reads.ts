import { commonPrefix, isVisible } from "../common-prefix.ts";
import type { PodEffect, ShardRead } from "../effects.ts";
import { compareKeys } from "../key-order.ts";
import { digestOfPage, type ListPage } from "../list-digest.ts";
import {
  type Address,
  type Message,
  type MissingReason,
  type PodMessage,
  podAddress,
  type VersionView,
} from "../messages/index.ts";
import type { Shard } from "../shard.ts";
import { noteRead } from "./damage.ts";
import { holdsShard } from "./entry.ts";
import { countRefusal, type PodState, startLoad, visibleVersions } from "./state.ts";

type Received<Type extends PodMessage["type"]> = Extract<PodMessage, { type: Type }>;

/** Limit on shards being read at a time, because each occupies memory until it is sent. */
const LOADS_MAX = 512;

export function find<Position>(
  state: PodState<Position>,
  to: Address,
  { requestId, bucket, key, isEager }: Received<"pod.find">,
): PodEffect<Position>[] {
  const question = { requestId, bucket, key };
  const top = isEager ? state.entries.highestVersion(question) : undefined;
  if (top === undefined || top.upload.sizeBytes === 0)
    return [answerFind(state, to, question, { shard: null, missingReason: null })];
  const { uploadId } = top.upload;
  if (!holdsShard(top) || top.position === null) {
    const missingReason = state.damaged.has(uploadId) ? "damaged" : null;
    return [answerFind(state, to, question, { shard: null, missingReason })];
  }
  if (isBusyReading(state))
    return [answerFind(state, to, question, { shard: null, missingReason: "unreadable" })];
  return [startLoad(state, { type: "find", to, uploadId, question }, top.position)];
}

type FindQuestion = Pick<Received<"pod.find">, "requestId" | "bucket" | "key">;

/** Answers with the versions that the pod knows now; reading the shard may have delayed the answer. */
function answerFind<Position>(
  state: PodState<Position>,
  to: Address,
  { requestId, bucket, key }: FindQuestion,
  { shard, missingReason }: { readonly shard: Shard | null; readonly missingReason: MissingReason | null },
): PodEffect<Position> {
  const versions = visibleVersions(state, state.entries.versionsOf({ bucket, key }));
  const { podIndex } = state.identity;
  const isSettled = state.lifecycle === "settled";
  const [top] = versions;
  // One header object for both, sent and parsed only once.
  const isOfTop = shard !== null && top?.upload.uploadId === shard.upload.uploadId;
  const sent = isOfTop ? { ...shard, upload: top.upload } : shard;
  const answer = { requestId, podIndex, isSettled, versions, shard: sent, missingReason };
  return { type: "send", to, message: { type: "coordinator.found", ...answer } };
}

export function list<Position>(
  state: PodState<Position>,
  to: Address,
  question: Received<"pod.list">,
): PodEffect<Position>[] {
  const { requestId, isBrief } = question;
  const { podIndex } = state.identity;
  const speaker = { requestId, podIndex, isSettled: state.lifecycle === "settled" };
  const page = readPage(state, question);
  const message: Message = isBrief
    ? { type: "coordinator.listedAlike", ...speaker, digest: digestOfPage(page) }
    : { type: "coordinator.listed", ...speaker, ...page };
  return [{ type: "send", to, message }];
}

function readPage<Position>(
  state: PodState<Position>,
  { bucket, prefix, after, keyCountMax, delimiter }: Received<"pod.list">,
): ListPage {
  const versions: VersionView[] = [];
  let keyCount = 0;
  let last: string | null = null;
  const start = compareKeys(prefix, after) > 0 ? prefix : after;
  const keys = state.entries.keysFrom(bucket, start);
  for (let key = keys.next(); key?.startsWith(prefix); key = keys.next()) {
    if (key === after) continue;
    if (keyCount === keyCountMax) return { versions, truncatedAfter: last, delimiter };
    keyCount += 1;
    last = key;
    const views = visibleVersions(state, state.entries.versionsOf({ bucket, key }));
    versions.push(...views);
    const group = isVisible(views[0]) ? commonPrefix(key, { prefix, delimiter }) : null;
    if (group !== null) keys.skip(group);
  }
  return { versions, truncatedAfter: null, delimiter };
}

export function load<Position>(
  state: PodState<Position>,
  to: Address,
  { requestId, uploadId }: Received<"pod.load">,
): PodEffect<Position>[] {
  const entry = state.entries.get(uploadId);
  const held = entry !== undefined && holdsShard(entry) ? entry.position : null;
  // A damaged shard is read again, because the cause of a garbled read may have passed.
  const position = held ?? state.damaged.get(uploadId)?.position ?? null;
  if (position === null) return [answerLoad(state, to, requestId, { shard: null, missingReason: null })];
  if (isBusyReading(state)) return [];
  return [startLoad(state, { type: "load", to, uploadId, requestId }, position)];
}

/**
 * Returns true if the request gets no answer because too many reads are pending; the reader asks again, or asks other
 * pods.
 */
function isBusyReading<Position>(state: PodState<Position>): boolean {
  if (state.loads.size < LOADS_MAX) return false;
  countRefusal(state, "load while too many are being read");
  return true;
}

export function loaded<Position>(
  state: PodState<Position>,
  loadId: number,
  read: ShardRead,
  nowMs: number,
): PodEffect<Position>[] {
  const pending = state.loads.get(loadId);
  if (!pending) return [];
  state.loads.delete(loadId);
  noteRead(state, pending.uploadId, read, nowMs);
  const given = givenBy(read);
  if (pending.type === "find") return [answerFind(state, pending.to, pending.question, given)];
  if (pending.type === "load") return [answerLoad(state, pending.to, pending.requestId, given)];
  return [];
}

function givenBy(read: ShardRead): {
  readonly shard: Shard | null;
  readonly missingReason: MissingReason | null;
} {
  switch (read.type) {
    case "shard":
      return { shard: read.shard, missingReason: null };
    case "corrupt":
      return { shard: null, missingReason: "damaged" };
    case "unreadable":
      return { shard: null, missingReason: "unreadable" };
    case "gone":
      return { shard: null, missingReason: null };
  }
}

function answerLoad<Position>(
  state: PodState<Position>,
  to: Address,
  requestId: number,
  { shard, missingReason }: { readonly shard: Shard | null; readonly missingReason: MissingReason | null },
): PodEffect<Position> {
  const from = podAddress(state.identity.podIndex);
  const shards = shard === null ? [] : [shard];
  return {
    type: "send",
    to,
    message: { type: "coordinator.loaded", requestId, from, shards, missingReason },
  };
}
