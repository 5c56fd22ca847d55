import type { Outcome, PodEffect } from "../effects.ts";
import {
  type Address,
  coordinatorAddress,
  type PodIdentity,
  type PurgeEntry,
  type VersionView,
} from "../messages.ts";
import type { VaultConfig } from "../placement.ts";
import type { UploadHeader, UploadId } from "../shard.ts";
import { addToDigests, createDigests, type Digests, fingerprintOf, removeFromDigests } from "./digest.ts";
import { addVersion, type Objects, removeVersion } from "./objects.ts";

/**
 * A shard's life on its pod:
 *
 *     (none) --append--> appending --write()--> written --fdatasync--> durable --superseded | discarded--> (none)
 *     (none) --index of another pod--> known --repair--> appending
 *
 * `known`: the upload exists and this pod lacks its shard. A pod that lost its page cache or its drive learns all
 * headers from its peers before it counts again, so that it never takes "I do not have it" for "it does not exist".
 */
export interface PodEntry<Position> {
  readonly upload: UploadHeader;
  /** The payload's checksum as a signed number, which needs no object of its own; `crcOf` says it without a sign. */
  signedCrc: number;
  state: "known" | "appending" | "written" | "durable";
  /** It was known before its shard came, and still is when that cannot be stored. */
  wasKnown: boolean;
  /** What a coordinator told of the upload's end; null while nobody did. */
  outcome: Outcome | null;
  position: Position | null;
  /** Order of arrival on this pod; what a peer's comparison counts by. */
  readonly arrival: number;
  /** Where it is counted in the digests. */
  readonly bucket: number;
  /** Whole milliseconds after the boot. */
  bornMs: number;
  /** Null when nobody waits, as it is with most of the many entries of a pod. */
  waiting: Waiting | null;
}

/** Whom it concerns that a shard becomes written, or durable. */
export interface Waiting {
  /** Devices that hold this shard until it is durable here. */
  readonly stashDeviceIds: number[];
  readonly waiters: AppendWaiter[];
  readonly probeWaiters: ProbeWaiter[];
}

export interface AppendWaiter {
  readonly to: Address;
  readonly isDurable: boolean;
}

export interface ProbeWaiter {
  readonly to: Address;
  readonly requestId: number;
  readonly upload: UploadHeader;
}

/**
 * A pod's life: `recovering` reads its log, `replaying` pulls from the stash what its page cache lost, `comparing`
 * reads its peers' indexes for what the stash cannot know, and `settled` counts for reads and takes writes. `halted`
 * does nothing any more.
 */
export type PodLifecycle = "recovering" | "replaying" | "comparing" | "settled" | "halted";

/** How far the comparison with a peer has come. */
export interface Comparison {
  readonly peerBootId: number;
  /** Those that differed, and are being read. */
  readonly buckets: readonly number[];
  readonly after: number;
  readonly isDone: boolean;
}

export interface PodState<Position> {
  identity: PodIdentity;
  config: VaultConfig;
  lifecycle: PodLifecycle;
  readonly entries: Map<UploadId, PodEntry<Position>>;
  readonly objects: Objects<PodEntry<Position>>;
  /** Uploads this pod promised never to take, and whether the promise is durable. */
  readonly refused: Map<
    UploadId,
    { isDurable: boolean; readonly isKnowing: boolean; readonly waiters: ProbeWaiter[] }
  >;
  /** Written since the last flush began. */
  dirty: PodEntry<Position>[];
  flushing: PodEntry<Position>[] | null;
  /** Somebody waits for durability, so the next flush does not wait for its timer. */
  isFlushUrgent: boolean;
  isFlushTimerSet: boolean;
  readonly purges: Map<number, PurgeEntry[]>;
  /** Uploads whose end is not known to be `complete`, oldest first. */
  readonly unresolved: Map<UploadId, PodEntry<Position>>;
  readonly pulls: Map<number, { cursor: number; isDone: boolean }>;
  /** Of the uploads in `entries`. */
  readonly bucketDigests: Digests;
  readonly comparisons: Map<number, Comparison>;
  bootMs: number;
  readonly loads: Map<number, PendingLoad>;
  nextLoadId: number;
  nextArrival: number;
  nextCoordinator: number;
  readonly refusals: Map<string, number>;
}

/** Whoever waits for a shard to be read. A find names the object, and is told what there is of it besides. */
export interface PendingLoad {
  readonly to: Address;
  readonly uploadId: UploadId;
  readonly question:
    | { readonly requestId: number }
    | { readonly requestId: number; readonly bucket: string; readonly key: string };
}

export function createPod<Position>(config: VaultConfig, podIndex: number): PodState<Position> {
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
    entries: new Map(),
    objects: new Map(),
    refused: new Map(),
    dirty: [],
    flushing: null,
    isFlushUrgent: false,
    isFlushTimerSet: false,
    purges: new Map(),
    unresolved: new Map(),
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

/** As its caller says it: the checksum without a sign, the time as the clock has it. */
export interface EntryFields<Position> extends Pick<PodEntry<Position>, "state" | "position" | "bornMs"> {
  readonly payloadCrc: number;
}

export function sinceBootMs<Position>({ bootMs }: PodState<Position>, nowMs: number): number {
  return Math.floor(nowMs - bootMs);
}

export function crcOf<Position>({ signedCrc }: PodEntry<Position>): number {
  return signedCrc >>> 0;
}

export function addEntry<Position>(
  state: PodState<Position>,
  upload: UploadHeader,
  { payloadCrc, state: lifeState, position, bornMs }: EntryFields<Position>,
  outcome: Outcome | null = null,
): PodEntry<Position> {
  const fingerprint = fingerprintOf(upload.uploadId);
  addToDigests(state.bucketDigests, fingerprint);
  const entry: PodEntry<Position> = {
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
  };
  state.entries.set(upload.uploadId, entry);
  if (outcome !== "complete") state.unresolved.set(upload.uploadId, entry);
  addVersion(state.objects, entry);
  return entry;
}

export function waitingOf<Position>(entry: PodEntry<Position>): Waiting {
  entry.waiting ??= { stashDeviceIds: [], waiters: [], probeWaiters: [] };
  return entry.waiting;
}

/** From here on nobody waits. */
export function takeWaiting<Position>(entry: PodEntry<Position>): Waiting {
  const waiting = waitingOf(entry);
  entry.waiting = null;
  return waiting;
}

/** The device holds this shard until it is durable here. */
export function addStashDevice<Position>(entry: PodEntry<Position>, deviceId: number): void {
  const { stashDeviceIds } = waitingOf(entry);
  if (!stashDeviceIds.includes(deviceId)) stashDeviceIds.push(deviceId);
}

/** Forgets the shard, and lets the log forget its record. */
export function removeEntry<Position>(
  state: PodState<Position>,
  entry: PodEntry<Position>,
): PodEffect<Position>[] {
  const { uploadId } = entry.upload;
  removeFromDigests(state.bucketDigests, fingerprintOf(uploadId));
  state.entries.delete(uploadId);
  state.unresolved.delete(uploadId);
  removeVersion(state.objects, entry);
  if (entry.position === null) return [];
  return [{ type: "kill", uploadId, shardIndex: state.identity.podIndex, position: entry.position }];
}

export function holdsShard<Position>(entry: PodEntry<Position>): boolean {
  return entry.state === "written" || entry.state === "durable";
}

export function viewOf<Position>(entry: PodEntry<Position>): VersionView {
  const holds = entry.state === "appending" ? "known" : entry.state;
  return { upload: entry.upload, holds, isCommitted: entry.outcome !== null };
}

/** From the highest version down to the first that is known to be committed: nothing below it can be shown. */
export function visibleVersions<Position>(versions: readonly PodEntry<Position>[]): VersionView[] {
  const committed = versions.findLastIndex((entry) => entry.outcome !== null);
  return versions.slice(Math.max(0, committed)).map(viewOf).reverse();
}

export function countRefusal<Position>(state: PodState<Position>, reason: string): void {
  state.refusals.set(reason, (state.refusals.get(reason) ?? 0) + 1);
}

/** Any coordinator will do, so they take turns. */
export function someCoordinator<Position>(state: PodState<Position>): Address {
  state.nextCoordinator = (state.nextCoordinator + 1) % state.config.coordinatorCount;
  return coordinatorAddress(state.nextCoordinator);
}
