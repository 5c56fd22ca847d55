/** Answers to readers, which only cover shards that are durable on this device. */
import type { StashEffect } from "../effects.ts";
import { compareKeys } from "../key-order.ts";
import type { Address, StashMessage } from "../messages/index.ts";
import { objectNameOf, type UploadHeader } from "../shard.ts";
import { load as loadShards } from "./handoff.ts";
import { durableUploadsOf, type StashState } from "./state.ts";

type Received<Type extends StashMessage["type"]> = Extract<StashMessage, { type: Type }>;

export function find<Position>(
  state: StashState<Position>,
  to: Address,
  { requestId, bucket, key }: Received<"stash.find">,
): StashEffect<Position>[] {
  const uploads = durableUploadsOf(state.byObject.get(objectNameOf({ bucket, key })) ?? []);
  const { deviceId } = state;
  return [{ type: "send", to, message: { type: "coordinator.stashFound", requestId, deviceId, uploads } }];
}

export function list<Position>(
  state: StashState<Position>,
  to: Address,
  { requestId, bucket, prefix, after, keyCountMax }: Received<"stash.list">,
): StashEffect<Position>[] {
  const byKey = new Map<string, UploadHeader[]>();
  for (const entries of state.byObject.values()) {
    const uploads = durableUploadsOf(entries);
    const [first] = uploads;
    if (
      !first ||
      first.bucket !== bucket ||
      !first.key.startsWith(prefix) ||
      compareKeys(first.key, after) <= 0
    )
      continue;
    byKey.set(first.key, uploads);
  }
  const keys = [...byKey.keys()].sort(compareKeys);
  const page = keys.slice(0, keyCountMax);
  const { deviceId } = state;
  const message = {
    type: "coordinator.stashListed",
    requestId,
    deviceId,
    uploads: page.flatMap((key) => byKey.get(key) ?? []),
    truncatedAfter: keys.length > page.length ? (page.at(-1) ?? null) : null,
  } as const;
  return [{ type: "send", to, message }];
}

export function probe<Position>(
  state: StashState<Position>,
  to: Address,
  { requestId, uploadId }: Received<"stash.probe">,
): StashEffect<Position>[] {
  const entries = (state.entries.get(uploadId) ?? []).filter((entry) => entry.state === "durable");
  const shardIndices = (isDamaged: boolean): number[] =>
    entries.filter((entry) => entry.isDamaged === isDamaged).map((entry) => entry.shardIndex);
  const { deviceId } = state;
  const found = { shardIndices: shardIndices(false), damagedIndices: shardIndices(true) };
  return [{ type: "send", to, message: { type: "coordinator.stashProbed", requestId, deviceId, ...found } }];
}

export function load<Position>(
  state: StashState<Position>,
  to: Address,
  { requestId, uploadId }: Received<"stash.load">,
): StashEffect<Position>[] {
  const entries = (state.entries.get(uploadId) ?? []).filter((entry) => entry.state === "durable");
  return loadShards(state, entries, { type: "read", to, requestId });
}
