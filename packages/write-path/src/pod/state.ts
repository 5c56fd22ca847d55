import { addToDigests, createDigests, type Digests, fingerprintOf, removeFromDigests } from "../digest.ts";
import type { Outcome, PodEffect } from "../effects.ts";
import {
  type Address,
  coordinatorAddress,
  FREE_BYTES_UNKNOWN,
  type PodFreeSpace,
  type PodIdentity,
  type PurgeEntry,
  type VersionView,
} from "../messages/index.ts";
import type { VaultConfig } from "../placement.ts";
import type { UploadHeader, UploadId } from "../shard.ts";
import { LOWEST_ORDER, lowestOf, type VersionOrder } from "../version-order.ts";
import type { EntryView, PodEntry, ProbeWaiter } from "./entry.ts";
import { EntryIndex } from "./entry-index.ts";
import type { SettledEntries } from "./settled-entries.ts";

/**
 * A pod's life: `recovering` reads its log, `replaying` pulls from the stash what its page cache lost, `comparing`
 * reads its peers' indexes for uploads that the stash cannot know, and `settled` counts for reads and takes writes.
 * a `halted` pod ignores everything.
 */
export type PodLifecycle = "recovering" | "replaying" | "comparing" | "settled" | "halted";

/** A shard whose bytes fail their checksum (damage.ts). */
export interface DamagedShard<Position> {
  /** The record in the log. */
  readonly position: Position;
  /** Earliest rebuild, in milliseconds after the boot. */
  readonly heldUntilMs: number;
}

/** A shard that the drive fails to read. */
export interface UnreadableShard {
  /** First failed read, in milliseconds after the boot, as is `checkAtMs`. */
  readonly sinceMs: number;
  checkAtMs: number;
}

/** Recently found damaged shards: a leaky bucket. */
export interface DamageBudget {
  readonly usedCount: number;
  readonly atMs: number;
}

/** A pod that has found no damage recently. */
const FULL_DAMAGE_BUDGET: DamageBudget = { usedCount: 0, atMs: 0 };

/** Progress of the comparison with a peer. */
export interface Comparison {
  readonly peerBootId: number;
  /** The buckets that differed and are being read. */
  readonly buckets: readonly number[];
  readonly after: number;
  readonly isDone: boolean;
  /**
   * Uploads that the peer has named so far: one bit per arrival at this pod, in parts that are replaced when they change.
   */
  readonly named: Map<number, Uint8Array>;
  /** Non-null once the peer has named all uploads. */
  readonly doubting: Doubting | null;
}

/** Progress in finding uploads that the peer lacks. */
export interface Doubting {
  readonly horizon: VersionOrder;
  /** The last arrival that has been checked. */
  readonly after: number;
}

export interface PodState<Position> {
  identity: PodIdentity;
  config: VaultConfig;
  lifecycle: PodLifecycle;
  readonly entries: EntryIndex<Position>;
  /** Uploads this pod promised never to take, and whether the promise is durable. */
  readonly refused: Map<UploadId, Promised>;
  /** See horizon.ts. The horizon is durable; the floor is the coordinators' latest. */
  horizon: VersionOrder;
  /** The horizon on its way to the medium; null if there is none. */
  pendingHorizon: VersionOrder | null;
  finalBelow: VersionOrder;
  floor: VersionOrder;
  floorHeardMs: number;
  /** Offset of the wall clock, which orders use, from the clock for deadlines. */
  wallAheadMs: number;
  /** Floor below which no tombstone is left. */
  sweptFloor: VersionOrder;
  /** The tombstones among the entries. */
  readonly tombstones: Map<UploadId, PodEntry<Position>>;
  /** Entries whose shard this pod holds, and whose bytes it cannot return (damage.ts). */
  readonly damaged: Map<UploadId, DamagedShard<Position>>;
  /** Shards that the drive failed to read, with the time of the first failure; they count as held. */
  readonly unreadable: Map<UploadId, UnreadableShard>;
  damageBudget: DamageBudget;
  /**
   * Uploads that this pod knows from peers only, and has promised with its horizon never to take. It does not name them
   * to other pods, which could not distinguish them from uploads that it holds (compare.ts).
   */
  readonly hearsay: Set<UploadId>;
  /** Uploads whose shards the stash handed over before this boot had settled; see isInDoubt (doubt.ts). */
  readonly handedOver: Set<UploadId>;
  room: PodFreeSpace;
  /** Shards written since the last flush began. */
  dirty: PodEntry<Position>[];
  flushing: PodEntry<Position>[] | null;
  /**
   * The lowest order of a record killed since the last flush began, which a power cut would bring back; null for
   * none.
   */
  openKill: VersionOrder | null;
  /** Like `openKill`, for the kills that the current flush covers. */
  flushingKill: VersionOrder | null;
  /** True if a node waits for durability, so that the next flush does not wait for its timer. */
  isFlushUrgent: boolean;
  isFlushTimerSet: boolean;
  readonly purges: Map<number, PurgeEntry[]>;
  /** Uploads whose end is not known to be `complete`, oldest first. */
  readonly unresolved: Map<UploadId, PodEntry<Position>>;
  /** Unanswered questions about the outcome of an unresolved upload. */
  readonly askCounts: Map<UploadId, number>;
  /** Missing shards that are due, in the order in which they are requested; see rebuild.ts. */
  readonly rebuildLine: PodEntry<Position>[];
  /** Uploads for which coordinators were asked to rebuild this pod's shard. */
  readonly rebuilding: Set<UploadId>;
  /** Bytes of shards that the pod may request now, and the time until which credit has been earned. */
  rebuildCredit: { bytes: number; untilMs: number };
  /** Time of the next check of all unresolved uploads; null if it is due the next time that the pod asks. */
  nextLook: { readonly fromMs: number; afterMs: number } | null;
  readonly pulls: Map<number, { cursor: number; isDone: boolean }>;
  /** Digests of the uploads in `entries` except hearsay. */
  readonly bucketDigests: Digests;
  readonly comparisons: Map<number, Comparison>;
  bootMs: number;
  readonly loads: Map<number, PendingLoad>;
  nextLoadId: number;
  nextArrival: number;
  nextCoordinator: number;
  readonly refusals: Map<string, number>;
}

/** A promise never to accept an upload. */
export interface Promised {
  isDurable: boolean;
  readonly isKnowing: boolean;
  readonly order: VersionOrder;
  readonly waiters: ProbeWaiter[];
}

/**
 * Purpose of a read. `find` also reports the versions of the object; `recheck` reads again a shard that could not be
 * given.
 */
export type PendingLoad =
  | { readonly type: "load"; readonly uploadId: UploadId; readonly to: Address; readonly requestId: number }
  | {
      readonly type: "find";
      readonly uploadId: UploadId;
      readonly to: Address;
      readonly question: { readonly requestId: number; readonly bucket: string; readonly key: string };
    }
  | { readonly type: "recheck"; readonly uploadId: UploadId };

/** Settled entries go to `settled`, or stay objects if it is null. */
export function createPod<Position>(
  config: VaultConfig,
  podIndex: number,
  settled: SettledEntries<Position> | null = null,
): PodState<Position> {
  const driveId = config.podDriveIds[podIndex];
  if (driveId === undefined) {
    throw new RangeError(
      `There is no pod ${podIndex}; the vault has pods 0 to ${config.podDriveIds.length - 1}.`,
    );
  }
  return {
    identity: { podIndex, driveId, bootId: 0 },
    config,
    lifecycle: "recovering",
    entries: new EntryIndex(settled),
    refused: new Map(),
    horizon: LOWEST_ORDER,
    pendingHorizon: null,
    finalBelow: LOWEST_ORDER,
    floor: LOWEST_ORDER,
    floorHeardMs: Number.NEGATIVE_INFINITY,
    wallAheadMs: 0,
    sweptFloor: LOWEST_ORDER,
    tombstones: new Map(),
    damaged: new Map(),
    unreadable: new Map(),
    damageBudget: FULL_DAMAGE_BUDGET,
    hearsay: new Set(),
    handedOver: new Set(),
    // Data is accepted until the log reports its space.
    room: { freeBytes: FREE_BYTES_UNKNOWN, isShort: false },
    dirty: [],
    flushing: null,
    openKill: null,
    flushingKill: null,
    isFlushUrgent: false,
    isFlushTimerSet: false,
    purges: new Map(),
    unresolved: new Map(),
    askCounts: new Map(),
    rebuildLine: [],
    rebuilding: new Set(),
    rebuildCredit: { bytes: 0, untilMs: 0 },
    nextLook: null,
    pulls: new Map(),
    bucketDigests: createDigests(),
    comparisons: new Map(),
    bootMs: 0,
    loads: new Map(),
    nextLoadId: 1,
    nextArrival: 1,
    nextCoordinator: podIndex,
    refusals: new Map(),
  };
}

/** Fields as callers use them: the checksum without a sign, the time in clock milliseconds. */
export interface EntryFields<Position> extends Pick<PodEntry<Position>, "state" | "position" | "bornMs"> {
  readonly payloadCrc: number;
}

export function sinceBootMs<Position>({ bootMs }: PodState<Position>, nowMs: number): number {
  return Math.floor(nowMs - bootMs);
}

/** Creates an entry of a new arrival, which the digests count; the caller puts it into the index. */
export function createEntry<Position>(
  state: PodState<Position>,
  upload: UploadHeader,
  { payloadCrc, state: lifeState, position, bornMs }: EntryFields<Position>,
  outcome: Outcome | null,
): PodEntry<Position> {
  const fingerprint = fingerprintOf(upload.uploadId);
  addToDigests(state.bucketDigests, fingerprint);
  return {
    upload,
    signedCrc: payloadCrc | 0,
    state: lifeState,
    position,
    bornMs: sinceBootMs(state, bornMs),
    wasKnown: false,
    outcome,
    arrival: state.nextArrival++,
    bucket: fingerprint.bucket,
    waiting: null,
  } as PodEntry<Position>;
}

export function addEntry<Position>(
  state: PodState<Position>,
  upload: UploadHeader,
  fields: EntryFields<Position>,
  outcome: Outcome | null = null,
): PodEntry<Position> {
  const entry = createEntry(state, upload, fields, outcome);
  state.entries.add(entry);
  state.entries.touch(entry);
  if (outcome !== "complete") state.unresolved.set(upload.uploadId, entry);
  if (upload.kind === "tombstone") state.tombstones.set(upload.uploadId, entry);
  return entry;
}

export function keepFromPeers<Position>(state: PodState<Position>, uploadId: UploadId): void {
  state.hearsay.add(uploadId);
  removeFromDigests(state.bucketDigests, fingerprintOf(uploadId));
}

/** The upload has been proved to live, so this pod may name it to peers. */
export function nameToPeers<Position>(state: PodState<Position>, uploadId: UploadId): void {
  if (state.hearsay.delete(uploadId)) addToDigests(state.bucketDigests, fingerprintOf(uploadId));
}

/** The outcome of the upload is known, so the pod stops asking for it. */
export function stopAsking<Position>(state: PodState<Position>, uploadId: UploadId): void {
  state.unresolved.delete(uploadId);
  state.askCounts.delete(uploadId);
}

/** Forgets the shard, and lets the log forget its record. */
export function removeEntry<Position>(
  state: PodState<Position>,
  entry: EntryView<Position>,
): PodEffect<Position>[] {
  const { uploadId } = entry.upload;
  if (!state.hearsay.delete(uploadId)) removeFromDigests(state.bucketDigests, fingerprintOf(uploadId));
  state.entries.remove(entry);
  stopAsking(state, uploadId);
  state.tombstones.delete(uploadId);
  const position = entry.position ?? state.damaged.get(uploadId)?.position ?? null;
  state.damaged.delete(uploadId);
  state.unreadable.delete(uploadId);
  state.handedOver.delete(uploadId);
  return position === null ? [] : [killRecord(state, entry.upload, position)];
}

/** Kills a record. Until the next flush, a power cut would bring it back. */
export function killRecord<Position>(
  state: PodState<Position>,
  { uploadId, order }: UploadHeader,
  position: Position,
): PodEffect<Position> {
  state.openKill = state.openKill === null ? order : lowestOf(state.openKill, [order]);
  return { type: "kill", uploadId, shardIndex: state.identity.podIndex, position };
}

export function viewOf<Position>(state: PodState<Position>, entry: EntryView<Position>): VersionView {
  const holds = entry.state === "appending" ? "known" : entry.state;
  return { upload: entry.upload, holds, isCommitted: isVouchedFor(state, entry) };
}

/**
 * Returns true if this pod may report the upload as committed. Outcomes from its log count only once it has settled:
 * otherwise a drive that lost a tombstone and the end of the version it superseded would restore deleted objects
 * (compare.ts).
 */
export function isVouchedFor<Position>(state: PodState<Position>, { outcome }: EntryView<Position>): boolean {
  return outcome !== null && state.lifecycle === "settled";
}

/**
 * Returns the versions from the highest down to the first that is known to be committed: none below it can be shown.
 */
export function visibleVersions<Position>(
  state: PodState<Position>,
  versions: readonly EntryView<Position>[],
): VersionView[] {
  const committed = versions.findLastIndex((entry) => entry.outcome !== null);
  return versions
    .slice(Math.max(0, committed))
    .map((entry) => viewOf(state, entry))
    .reverse();
}

/** Settles some entries that wait for nothing. A tombstone stays open until it is forgotten (horizon.ts). */
export function settleEntries<Position>({ entries }: PodState<Position>, countMax: number): void {
  entries.settle(({ upload, state, outcome, waiting }) => {
    const isDone = state === "durable" && outcome === "complete" && waiting === null;
    return isDone && upload.kind === "object";
  }, countMax);
}

export function countRefusal<Position>(state: PodState<Position>, reason: string): void {
  state.refusals.set(reason, (state.refusals.get(reason) ?? 0) + 1);
}

/** Returns the coordinators alternately, because any of them will do. */
export function someCoordinator<Position>(state: PodState<Position>): Address {
  state.nextCoordinator = (state.nextCoordinator + 1) % state.config.coordinatorCount;
  return coordinatorAddress(state.nextCoordinator);
}

export function startLoad<Position>(
  state: PodState<Position>,
  pending: PendingLoad,
  position: Position,
): PodEffect<Position> {
  const loadId = state.nextLoadId++;
  state.loads.set(loadId, pending);
  return { type: "load", loadId, position };
}
