/**
 * Where a node's records live: what stands behind the log effects of write-path's machines. It answers later, through
 * the callbacks it is given, and tells the oracle what is durable and what is gone, as the media have it.
 */
import type { Position, Recovered, StoreAnswers } from "@stashlight/shard-store";
import type { PodLog } from "@stashlight/shard-store/shell";
import type { Outcome, Shard, UploadId } from "@stashlight/write-path";
import type { Counters } from "../counters.ts";
import type { EventQueue } from "../event-queue.ts";
import type { Random } from "../random.ts";

/** The machine that hears them says whether the medium is a pod's or a stash device's. */
export type MediumAnswers = StoreAnswers;
export type { Position, Recovered };

/** How a drive answers reads for a while. */
export type ReadState = "good" | "failing" | "garbled";

export interface Medium extends PodLog<Position> {
  /** From here on answers go to this boot; those of the boot before never come. */
  recover(answers: MediumAnswers, done: (recovered: Recovered) => void): void;
  /** The process dies; what is in the page cache stays. */
  crash(): void;
  /** The power goes: of what was not synced, anything may be left. */
  powerCut(): void;
  /** A new, empty drive. */
  replace(): void;
  /** One durable record becomes unreadable; false when there is none. */
  rot(): boolean;
  /** The payload of this upload's shard rots where it is durable, and its header stays; false when there is none. */
  rotPayload(uploadId: UploadId): boolean;
  /** A shard that the medium holds may be called corrupt: something near it has rotted, or reads were garbled. */
  readonly mayMisread: boolean;
  /** It can be read and takes no writes any more, because it lost what it had acknowledged: its drive has to be replaced. */
  readonly hasLostReserve: boolean;
  /** Reads fail, or what is read is garbled on its way; the medium itself is as it was. */
  setReads(reads: ReadState): void;
  /** Reads everything once, and reports what fails its checksum. */
  scrub(): void;
  /** The next sync fails; what it should have covered may or may not be on the medium, and looks clean. */
  failNextSync(): void;
  setLying(isLying: boolean): void;
  setSlowFactor(factor: number): void;
  /** Nothing answers while it hangs. */
  setHung(isHung: boolean): void;
  setFull(isFull: boolean): void;
  readonly durableCount: number;
  /** Promises never to take an upload, on the medium or on their way there. */
  readonly promiseCount: number;
}

/** What the medium really holds, told as it changes; no reply of any node has a say in it. */
export interface MediaWitness {
  durable(shard: Shard): void;
  /** The node let go of it. */
  killed(uploadId: UploadId, shardIndex: number, wasDurable: boolean): void;
  /** It is not on the medium any more, and nobody was told that it was durable. */
  retracted(uploadId: UploadId, shardIndex: number): void;
  /** The medium lost it. */
  lost(uploadId: UploadId, shardIndex: number): void;
  /** The medium said that it is durable, and it is not. */
  lied(shard: Shard): void;
  syncFailed(): void;
  /** The node wants its next boot to know this. */
  remembered(position: Position, outcome: Outcome): void;
  /** The log under a node broke a promise of its own, and no fault of the medium excuses it. */
  violated(property: "S2" | "S3" | "S4" | "S5" | "S7", sentence: string): void;
}

export interface MediumOptions {
  readonly queue: EventQueue;
  readonly random: Random;
  readonly counters: Counters;
  readonly witness: MediaWitness;
  /** A stash answers after a group commit, a pod after the write. */
  readonly isGroupCommit: boolean;
  /** The bytes that data may fill on a pod's drive; null if the limit is never reached. */
  readonly capacityBytes: number | null;
  readonly writeUs: number;
  readonly syncUs: number;
}
