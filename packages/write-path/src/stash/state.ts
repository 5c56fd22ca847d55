import type { Address, PodIdentity } from "../messages/index.ts";
import type { VaultConfig } from "../placement.ts";
import { objectNameOf, type Shard, type ShardHeader, type UploadHeader, type UploadId } from "../shard.ts";

/**
 * Life cycle of a shard on a stash device:
 *
 *     (none) --append--> appending --group commit--> durable --purge | discard--> (none)
 *                             '------ failed ------> (none)
 */
export interface StashEntry<Position> extends ShardHeader {
  state: "appending" | "durable";
  /** Null until the log has answered. */
  position: Position | null;
  /** Order of arrival on this device, which pulls use. */
  readonly arrival: number;
  readonly waiters: Address[];
  /** Time of the last offer to its pod. */
  offeredMs: number;
  /** True if its bytes fail their checksum; it stays here as evidence of the upload until its pod has the shard. */
  isDamaged: boolean;
  /** Time of the first failed read; null while the device can read it. */
  unreadableSinceMs: number | null;
}

/** Reason why a message changed nothing, or why bytes do not count as a copy. */
export type StashRefusal =
  | "purge from another epoch"
  | "purge from another drive"
  | "purge from another boot"
  | "purge of another pod's shard"
  | "purge of other bytes"
  | "pull of another pod's shards"
  | "pull from another drive"
  | "pull from an earlier boot"
  | "discard without proof"
  | "message of a stranger"
  | "append before its pod announced itself"
  | "append for an earlier boot"
  | "append of a dead upload"
  | "append of other bytes"
  | "append that the log refuses"
  | "corrupt shard"
  | "load while too many are being read"
  | "append while full"
  | "append while poisoned";

export interface StashState<Position> {
  readonly deviceId: number;
  config: VaultConfig;
  /**
   * `poisoned`: an fsync failed. Earlier durable shards can still be read, but nothing is appended, purged or recycled.
   */
  lifecycle: "recovering" | "serving" | "poisoned";
  isFull: boolean;
  readonly entries: Map<UploadId, StashEntry<Position>[]>;
  /** Shards of each pod by arrival, in the order in which they are offered. */
  readonly byPod: Map<number, Map<number, StashEntry<Position>>>;
  /** Entries of `byPod` whose bytes the device cannot return for now, in the same order. */
  readonly unreadableByPod: Map<number, Set<StashEntry<Position>>>;
  readonly byObject: Map<string, Set<StashEntry<Position>>>;
  /** Newest announced boot of each pod. */
  readonly pods: Map<number, PodIdentity>;
  /** Pods that have purged something since the last offer, which shows that they accept offers. */
  readonly takingPods: Set<number>;
  /** Purges that overtook their append. Forgetting one is a leak, which the next offer repairs. */
  readonly purgedEarly: BoundedMap<number>;
  readonly deadUploads: BoundedMap<true>;
  readonly refusals: Map<StashRefusal, number>;
  readonly loads: Map<number, { readonly entry: StashEntry<Position>; readonly pending: PendingLoad }>;
  nextLoadId: number;
  nextArrival: number;
}

/** Shards being read from the log, and the recipients of the answer. */
export interface PendingLoad {
  awaitedCount: number;
  readonly shards: Shard[];
  /** Entries among them whose bytes cannot be returned. */
  readonly damaged: ShardHeader[];
  /** True if the device failed to read one of them, which may succeed later. */
  isUnreadable: boolean;
  readonly answer: LoadAnswer;
}

export type LoadAnswer =
  | { readonly type: "read"; readonly to: Address; readonly requestId: number }
  | {
      readonly type: "handoff";
      readonly podIndex: number;
      readonly bootId: number;
      readonly cursor: number | null;
      readonly isLast: boolean;
    };

export interface StashOptions {
  readonly deviceId: number;
  readonly config: VaultConfig;
}

/** Limit on early purges, and on dead uploads, that a device remembers. */
const REMEMBERED_COUNT_MAX = 4096;

export function createStash<Position>({ deviceId, config }: StashOptions): StashState<Position> {
  return {
    deviceId,
    config,
    lifecycle: "recovering",
    isFull: false,
    entries: new Map(),
    byPod: new Map(),
    unreadableByPod: new Map(),
    byObject: new Map(),
    pods: new Map(),
    takingPods: new Set(),
    purgedEarly: new BoundedMap(REMEMBERED_COUNT_MAX),
    deadUploads: new BoundedMap(REMEMBERED_COUNT_MAX),
    refusals: new Map(),
    loads: new Map(),
    nextLoadId: 1,
    nextArrival: 1,
  };
}

/** A map that forgets its oldest entry when it is full. */
export class BoundedMap<Value> {
  readonly #map = new Map<string, Value>();
  readonly #sizeMax: number;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get(key: string): Value | undefined {
    return this.#map.get(key);
  }

  set(key: string, value: Value): void {
    this.#map.delete(key);
    this.#map.set(key, value);
    if (this.#map.size <= this.#sizeMax) return;
    const oldest = this.#map.keys().next();
    if (!oldest.done) this.#map.delete(oldest.value);
  }

  delete(key: string): void {
    this.#map.delete(key);
  }

  get size(): number {
    return this.#map.size;
  }
}

export function entryOf<Position>(
  state: StashState<Position>,
  uploadId: UploadId,
  shardIndex: number,
): StashEntry<Position> | undefined {
  return state.entries.get(uploadId)?.find((entry) => entry.shardIndex === shardIndex);
}

export function addEntry<Position>(state: StashState<Position>, entry: StashEntry<Position>): void {
  const { uploadId } = entry.upload;
  const ofUpload = state.entries.get(uploadId);
  if (ofUpload) ofUpload.push(entry);
  else state.entries.set(uploadId, [entry]);
  const ofPod = state.byPod.get(entry.shardIndex) ?? new Map<number, StashEntry<Position>>();
  state.byPod.set(entry.shardIndex, ofPod.set(entry.arrival, entry));
  noteReadability(state, entry);
  const name = objectNameOf(entry.upload);
  const ofObject = state.byObject.get(name) ?? new Set<StashEntry<Position>>();
  state.byObject.set(name, ofObject.add(entry));
}

export function removeEntry<Position>(state: StashState<Position>, entry: StashEntry<Position>): void {
  const { uploadId } = entry.upload;
  const left = (state.entries.get(uploadId) ?? []).filter((other) => other !== entry);
  if (left.length === 0) state.entries.delete(uploadId);
  else state.entries.set(uploadId, left);
  state.byPod.get(entry.shardIndex)?.delete(entry.arrival);
  state.unreadableByPod.get(entry.shardIndex)?.delete(entry);
  const name = objectNameOf(entry.upload);
  const ofObject = state.byObject.get(name);
  ofObject?.delete(entry);
  if (ofObject?.size === 0) state.byObject.delete(name);
}

export function isUnreadable<Position>({ isDamaged, unreadableSinceMs }: StashEntry<Position>): boolean {
  return isDamaged || unreadableSinceMs !== null;
}

/** Called when a read or a scrub of the entry has a result. The entry may have been removed by then. */
export function noteReadability<Position>(state: StashState<Position>, entry: StashEntry<Position>): void {
  const { shardIndex, arrival } = entry;
  const unreadable = state.unreadableByPod.get(shardIndex) ?? new Set<StashEntry<Position>>();
  const isHere = state.byPod.get(shardIndex)?.get(arrival) === entry;
  if (isHere && isUnreadable(entry)) state.unreadableByPod.set(shardIndex, unreadable.add(entry));
  else unreadable.delete(entry);
}

/** Moves an offered entry after the others of its pod. */
export function moveToEnd<Position>(state: StashState<Position>, entry: StashEntry<Position>): void {
  const { shardIndex, arrival } = entry;
  const ofPod = state.byPod.get(shardIndex);
  if (ofPod?.delete(arrival)) ofPod.set(arrival, entry);
  const unreadable = state.unreadableByPod.get(shardIndex);
  if (unreadable?.delete(entry)) unreadable.add(entry);
}

export function countRefusal<Position>(state: StashState<Position>, reason: StashRefusal): void {
  state.refusals.set(reason, (state.refusals.get(reason) ?? 0) + 1);
}

export function durableUploadsOf<Position>(entries: Iterable<StashEntry<Position>>): UploadHeader[] {
  return [...entries].filter((entry) => entry.state === "durable").map((entry) => entry.upload);
}
