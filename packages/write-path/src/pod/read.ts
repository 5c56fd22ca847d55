import type { PodEffect } from "../effects.ts";
import { compareKeys, namesFrom } from "../key-order.ts";
import { digestOfPage } from "../list-digest.ts";
import { type Address, type Message, type PodMessage, podAddress } from "../messages/index.ts";
import type { Shard } from "../shard.ts";
import { holdsShard } from "./entry.ts";
import { highestVersion, keysOf, versionsOf } from "./objects.ts";
import { countRefusal, type PendingLoad, type PodState, visibleVersions } from "./state.ts";

type Received<Type extends PodMessage["type"]> = Extract<PodMessage, { type: Type }>;

/** Shards being read at a time; each occupies memory until it is answered. */
const LOADS_MAX = 512;

export function find<Position>(
  state: PodState<Position>,
  to: Address,
  { requestId, bucket, key, isEager }: Received<"pod.find">,
): PodEffect<Position>[] {
  const question = { requestId, bucket, key };
  const top = isEager ? highestVersion(state.objects, question) : undefined;
  const hasBytes = top !== undefined && holdsShard(top) && top.upload.sizeBytes > 0;
  if (!hasBytes || top.position === null || isBusyReading(state)) {
    return [answerFind(state, to, question, null)];
  }
  const { uploadId } = top.upload;
  return [startLoad(state, { to, uploadId, question }, top.position)];
}

type FindQuestion = Pick<Received<"pod.find">, "requestId" | "bucket" | "key">;

/** What the pod knows at the moment of the answer, which may be later than the question by the time of a read. */
function answerFind<Position>(
  state: PodState<Position>,
  to: Address,
  { requestId, bucket, key }: FindQuestion,
  shard: Shard | null,
): PodEffect<Position> {
  const versions = visibleVersions(state, versionsOf(state.objects, { bucket, key }));
  const { podIndex } = state.identity;
  const isSettled = state.lifecycle === "settled";
  const [top] = versions;
  // One header for both, which is then sent and read once.
  const isOfTop = shard !== null && top?.upload.uploadId === shard.upload.uploadId;
  const sent = isOfTop ? { ...shard, upload: top.upload } : shard;
  const answer = { requestId, podIndex, isSettled, versions, shard: sent };
  return { type: "send", to, message: { type: "coordinator.found", ...answer } };
}

export function list<Position>(
  state: PodState<Position>,
  to: Address,
  { requestId, bucket, prefix, after, keyCountMax, isBrief }: Received<"pod.list">,
): PodEffect<Position>[] {
  const page: string[] = [];
  let isTruncated = false;
  const start = compareKeys(prefix, after) > 0 ? prefix : after;
  for (const key of namesFrom(keysOf(state.objects, bucket), start)) {
    if (!key.startsWith(prefix)) break;
    if (key === after) continue;
    isTruncated = page.length === keyCountMax;
    if (isTruncated) break;
    page.push(key);
  }
  const { podIndex } = state.identity;
  const speaker = { requestId, podIndex, isSettled: state.lifecycle === "settled" };
  const said = {
    versions: page.flatMap((key) => visibleVersions(state, versionsOf(state.objects, { bucket, key }))),
    truncatedAfter: isTruncated ? (page.at(-1) ?? null) : null,
  };
  const message: Message = isBrief
    ? { type: "coordinator.listedAlike", ...speaker, digest: digestOfPage(said) }
    : { type: "coordinator.listed", ...speaker, ...said };
  return [{ type: "send", to, message }];
}

export function load<Position>(
  state: PodState<Position>,
  to: Address,
  { requestId, uploadId }: Received<"pod.load">,
): PodEffect<Position>[] {
  const entry = state.entries.get(uploadId);
  if (!entry || !holdsShard(entry) || entry.position === null) return [answerLoad(state, to, requestId, [])];
  if (isBusyReading(state)) return [];
  return [startLoad(state, { to, uploadId, question: { requestId } }, entry.position)];
}

/** A reader without an answer asks again, or asks other pods. */
function isBusyReading<Position>(state: PodState<Position>): boolean {
  if (state.loads.size < LOADS_MAX) return false;
  countRefusal(state, "load while too many are being read");
  return true;
}

function startLoad<Position>(
  state: PodState<Position>,
  pending: PendingLoad,
  position: Position,
): PodEffect<Position> {
  const loadId = state.nextLoadId++;
  state.loads.set(loadId, pending);
  return { type: "load", loadId, position };
}

export function loaded<Position>(
  state: PodState<Position>,
  loadId: number,
  shard: Shard | null,
): PodEffect<Position>[] {
  const pending = state.loads.get(loadId);
  if (!pending) return [];
  state.loads.delete(loadId);
  const { to, uploadId, question } = pending;
  const forgotten = shard === null ? forgetBytes(state, uploadId) : [];
  const answer =
    "key" in question
      ? answerFind(state, to, question, shard)
      : answerLoad(state, to, question.requestId, shard === null ? [] : [shard]);
  return [...forgotten, answer];
}

/** The bytes failed their checksum: the pod knows the upload and lacks its shard, until a repair brings it back. */
export function forgetBytes<Position>(state: PodState<Position>, uploadId: string): PodEffect<Position>[] {
  const entry = state.entries.get(uploadId);
  if (entry?.state !== "durable" || entry.position === null) return [];
  const { position } = entry;
  entry.state = "known";
  entry.position = null;
  if (entry.outcome === "complete") entry.outcome = "committed";
  state.lostBytes.add(uploadId);
  state.unresolved.set(uploadId, entry);
  return [{ type: "kill", uploadId, shardIndex: state.identity.podIndex, position }];
}

function answerLoad<Position>(
  state: PodState<Position>,
  to: Address,
  requestId: number,
  shards: readonly Shard[],
): PodEffect<Position> {
  const from = podAddress(state.identity.podIndex);
  return { type: "send", to, message: { type: "coordinator.loaded", requestId, from, shards } };
}
