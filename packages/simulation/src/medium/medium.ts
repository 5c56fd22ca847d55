/**
 * Storage of a node's records: carries out the log effects of write-path's machines. It answers later, through the
 * given callbacks, and reports records that become durable or disappear to the oracle, according to the media.
 */
import type { PageFile, PageMemory } from "@stashlight/paged-memory";
import type { Position, Recovered, StoreAnswers } from "@stashlight/shard-store";
import type { PodLog, PodShell } from "@stashlight/shard-store/shell";
import type { Random } from "@stashlight/stats/forkable-random";
import type { Outcome, SavedPod, Shard, UploadId } from "@stashlight/write-path";
import type { Counters } from "../counters.ts";
import type { EventQueue } from "../event-queue.ts";

/** Answers of a pod's or of a stash device's medium; the receiving machine knows which. */
export type MediumAnswers = StoreAnswers;
export type { Position, Recovered };

/** The way a drive answers reads for a while. */
export type ReadState = "good" | "failing" | "garbled";

/** Content of a medium at boot; `saved` if its boot continues with the state that the last one saved. */
export interface RecoveredPod extends Recovered {
  readonly saved: SavedPod | null;
  /** Memory of the index of this boot. */
  readonly memory: PageMemory;
}

/** Faults of the files of an index alone, which no shard depends on. */
export interface IndexFaults {
  setLying(isLying: boolean): void;
  powerCut(): void;
  rot(): void;
  /** The host of a drive that has failed removes the root, so that the next boot reads the log. */
  drop(): void;
}

export interface Medium extends PodLog<Position> {
  /**
   * Starts a boot, which receives all answers from now on; those of the previous boot never arrive. `createMemory` creates
   * the memory of the index for each attempt to open the log.
   */
  recover(
    answers: MediumAnswers,
    createMemory: () => PageMemory,
    done: (recovered: RecoveredPod) => void,
  ): void;
  /** Returns the file for the index of the next boot, in which this read fails. */
  pageFile(failingRead: number | null): PageFile;
  /** True if every request has been answered, and nothing is being saved. */
  readonly isQuiet: boolean;
  /** Saves the boot with the index while it continues. `savePod` returns why the pod cannot be saved now. */
  checkpoint(shell: Pick<PodShell<Position>, "hold" | "letGo">, savePod: () => SavedPod | string): void;
  /** Ends the boot by a clean shutdown; the pod is saved with the index. */
  stop(pod: SavedPod | string): void;
  /** The files of a pod's index; null for a medium that keeps none. */
  readonly index: IndexFaults | null;
  /** The process dies; the contents of the page cache remain. */
  crash(): void;
  /** The power fails: any part of the unsynced data may remain. */
  powerCut(): void;
  /** Replaces the drive with a new, empty one. */
  replace(): void;
  /** Damages one durable record; returns false if there is none. */
  rot(): boolean;
  /**
   * Damages the payload of this upload's shard if it is durable, and keeps its header; returns false if there is
   * none.
   */
  rotPayload(uploadId: UploadId): boolean;
  /** True if an intact shard may be reported as corrupt: something near it has rotted, or reads were garbled. */
  readonly mayMisread: boolean;
  /**
   * True if the medium is readable but no longer writable, because it lost acknowledged data: its drive has to be
   * replaced.
   */
  readonly hasLostReserve: boolean;
  /** Makes reads fail or garbles their data in transfer; the medium itself is unchanged. */
  setReads(reads: ReadState): void;
  /** Reads everything once, and reports each checksum failure. */
  scrub(): void;
  /** Makes the next sync fail; the data it should have covered may or may not be on the medium, and looks clean. */
  failNextSync(): void;
  setLying(isLying: boolean): void;
  setSlowFactor(factor: number): void;
  /** While the medium hangs it answers nothing. */
  setHung(isHung: boolean): void;
  setFull(isFull: boolean): void;
  readonly durableCount: number;
  /** Number of promises never to take an upload, on the medium or on their way there. */
  readonly promiseCount: number;
}

/** Actual contents of the medium, reported as they change; replies of nodes have no influence on it. */
export interface MediaWitness {
  durable(shard: Shard): void;
  /** The node dropped the shard. */
  killed(uploadId: UploadId, shardIndex: number, wasDurable: boolean): void;
  /** The shard is no longer on the medium, and was never reported as durable. */
  retracted(uploadId: UploadId, shardIndex: number): void;
  lost(uploadId: UploadId, shardIndex: number): void;
  /** The medium falsely reported the shard as durable. */
  lied(shard: Shard): void;
  syncFailed(): void;
  /** The node wants its next boot to know this outcome. */
  remembered(position: Position, outcome: Outcome): void;
  /** The log broke a promise of its own, and no fault of the medium excuses it. */
  violated(property: "S2" | "S3" | "S4" | "S5" | "S7", sentence: string): void;
}

export interface MediumOptions {
  readonly queue: EventQueue;
  readonly random: Random;
  /** For the files of the index. */
  readonly indexRandom: Random;
  readonly counters: Counters;
  readonly witness: MediaWitness;
  /** A stash answers after a group commit, a pod after the write. */
  readonly isGroupCommit: boolean;
  /** Bytes of data that a pod's drive may hold; null if the limit is never reached. */
  readonly capacityBytes: number | null;
  readonly writeUs: number;
  readonly syncUs: number;
}
