import type { Outcome } from "../effects.ts";
import type { Address } from "../messages/index.ts";
import type { UploadHeader } from "../shard.ts";

declare const isAwake: unique symbol;

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
  /** Exists only for the compiler, so that a view cannot be passed where an entry may be changed. */
  readonly [isAwake]: true;
  readonly upload: UploadHeader;
  /** The payload's checksum as a signed number, which needs no separate object; `crcOf` returns it without a sign. */
  signedCrc: number;
  state: "known" | "appending" | "written" | "durable";
  /** True if the upload was known before its shard arrived, and so stays known if the shard cannot be stored. */
  wasKnown: boolean;
  /** The upload's outcome, as a coordinator reported it; null before that. */
  outcome: Outcome | null;
  position: Position | null;
  /** Order of arrival on this pod; used by a peer's comparison. */
  readonly arrival: number;
  /** Digest bucket that includes the upload. */
  readonly bucket: number;
  /** Time of arrival or of the last question about the outcome, in whole milliseconds after the boot. */
  bornMs: number;
  /** Null if no node waits, as for most of a pod's many entries. */
  waiting: Waiting | null;
}

/** An entry as lookups return it (entry-index.ts). */
export type EntryView<Position> = Readonly<Omit<PodEntry<Position>, typeof isAwake>>;

/** Nodes that wait for a shard to become written, or durable. */
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

export function crcOf<Position>({ signedCrc }: EntryView<Position>): number {
  return signedCrc >>> 0;
}

export function waitingOf<Position>(entry: PodEntry<Position>): Waiting {
  entry.waiting ??= { stashDeviceIds: [], waiters: [], probeWaiters: [] };
  return entry.waiting;
}

/** Returns the waiting nodes, and clears them. */
export function takeWaiting<Position>(entry: PodEntry<Position>): Waiting {
  const waiting = waitingOf(entry);
  entry.waiting = null;
  return waiting;
}

/** Notes a device that holds this shard until it is durable here. */
export function addStashDevice<Position>(entry: PodEntry<Position>, deviceId: number): void {
  const { stashDeviceIds } = waitingOf(entry);
  if (!stashDeviceIds.includes(deviceId)) stashDeviceIds.push(deviceId);
}

export function holdsShard<Position>(entry: EntryView<Position>): boolean {
  return entry.state === "written" || entry.state === "durable";
}
