import type { PodEffect } from "../effects.ts";
import { compareKeys, namesFrom } from "../key-order.ts";
import { digestOfPage } from "../list-digest.ts";
import { type Address, type Message, type PodMessage, podAddress } from "../messages.ts";
import type { Shard } from "../shard.ts";
import { keysOf, versionsOf } from "./objects.ts";
import { holdsShard, type PodState, visibleVersions } from "./state.ts";

type Received<Type extends PodMessage["type"]> = Extract<PodMessage, { type: Type }>;

export function find<Position>(
  state: PodState<Position>,
  to: Address,
  { requestId, bucket, key, isEager }: Received<"pod.find">,
): PodEffect<Position>[] {
  const versions = visibleVersions(versionsOf(state.objects, { bucket, key }));
  const { podIndex } = state.identity;
  const isSettled = state.lifecycle === "settled";
  const answer = { type: "coordinator.found", requestId, podIndex, isSettled, versions } as const;
  const [top] = versions;
  const hasShard = top !== undefined && top.holds !== "known" && top.upload.sizeBytes > 0;
  const shard = isEager && hasShard ? load(state, to, { requestId, uploadId: top.upload.uploadId }) : [];
  return [{ type: "send", to, message: answer }, ...shard];
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
    versions: page.flatMap((key) => visibleVersions(versionsOf(state.objects, { bucket, key }))),
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
  { requestId, uploadId }: Pick<Received<"pod.load">, "requestId" | "uploadId">,
): PodEffect<Position>[] {
  const entry = state.entries.get(uploadId);
  if (!entry || !holdsShard(entry) || entry.position === null) return [answerLoad(state, to, requestId, [])];
  const loadId = state.nextLoadId++;
  state.loads.set(loadId, { to, requestId, uploadId });
  return [{ type: "load", loadId, position: entry.position }];
}

export function loaded<Position>(
  state: PodState<Position>,
  loadId: number,
  shard: Shard | null,
): PodEffect<Position>[] {
  const pending = state.loads.get(loadId);
  if (!pending) return [];
  state.loads.delete(loadId);
  const { to, requestId, uploadId } = pending;
  if (shard !== null) return [answerLoad(state, to, requestId, [shard])];
  return [...forgetBytes(state, uploadId), answerLoad(state, to, requestId, [])];
}

/** The bytes failed their checksum: the pod knows the upload and lacks its shard, until a repair brings it back. */
export function forgetBytes<Position>(state: PodState<Position>, uploadId: string): PodEffect<Position>[] {
  const entry = state.entries.get(uploadId);
  if (entry?.state !== "durable" || entry.position === null) return [];
  const { position } = entry;
  entry.state = "known";
  entry.position = null;
  if (entry.outcome === "complete") entry.outcome = "committed";
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
