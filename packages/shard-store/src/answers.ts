/**
 * Answers of a log. Pods and stash devices receive different ones: a stash device requests no flush and makes no
 * promises, and only its log has an occupancy. So each has its own type of answers, and code that handles both must
 * check which machine they belong to.
 */
import type {
  LogEvent,
  PodFreeSpace,
  Shard,
  ShardRead,
  UploadId,
  VersionOrder,
} from "@stashlight/write-path";
import type { Position } from "./positions.ts";

/** `busy`: there will be space soon. `refused`: the log never accepts this record. */
export type AppendFailure = Extract<LogEvent<never>, { type: "appendFailed" }>["reason"];

/**
 * Answers that every machine receives about its records. An answer is never delivered before the call that caused it
 * has returned.
 */
export interface ShardAnswers<Place = Position> {
  appended(uploadId: UploadId, shardIndex: number, position: Place): void;
  appendFailed(uploadId: UploadId, shardIndex: number, reason: AppendFailure): void;
  corrupt(uploadId: UploadId, shardIndex: number): void;
  unreadable(uploadId: UploadId, shardIndex: number): void;
  loaded(loadId: number, read: ShardRead): void;
}

export interface PodAnswers<Place = Position> extends ShardAnswers<Place> {
  readonly machine: "pod";
  flushed(): void;
  flushFailed(): void;
  refusalPersisted(uploadId: UploadId): void;
  horizonPersisted(horizon: VersionOrder): void;
  /** The free space of the log has changed notably. */
  room(room: PodFreeSpace): void;
}

export interface StashAnswers<Place = Position> extends ShardAnswers<Place> {
  readonly machine: "stash";
  /** The occupancy has crossed the limit at which uploads take the direct path, or the limit below it. */
  occupancy(isFull: boolean): void;
}

export type StoreAnswers<Place = Position> = PodAnswers<Place> | StashAnswers<Place>;

/** Receives the operations on the log and the log's claims, to compare both with the medium. */
export interface StoreWitness {
  /** Returns a number that identifies this append of the key. */
  appended(key: string, shard: Shard | null): number;
  /** The log reported that this append is durable. */
  claimed(key: string, append: number): void;
  killed(key: string, nextLsn: number): void;
  foundCorrupt(uploadId: UploadId, shardIndex: number): void;
}
