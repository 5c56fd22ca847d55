/**
 * Where a node's records live: what stands behind the log effects of write-path's machines. It answers later, through
 * the callbacks it is given, and tells the oracle what is durable and what is gone, as the media have it.
 */
import type { Position, Recovered, StoreAnswers } from "@stashlight/shard-store";
import type { Outcome, Refusal, Shard, UploadId } from "@stashlight/write-path";

export type MediumAnswers = StoreAnswers;
export type { Position, Recovered };

export interface Medium {
  append(shard: Shard): void;
  flush(): void;
  kill(uploadId: UploadId, shardIndex: number, position: Position): void;
  load(loadId: number, position: Position): void;
  persistRefusal(refusal: Refusal): void;
  /** The next boot may be told, or not. */
  remember(position: Position, outcome: Outcome): void;
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
}

/** What the medium really holds, told as it changes; no reply of any node has a say in it. */
export interface MediaWitness {
  durable(shard: Shard): void;
  /** The node let go of it. */
  killed(uploadId: UploadId, shardIndex: number, wasDurable: boolean): void;
  /** The medium lost it. */
  lost(uploadId: UploadId, shardIndex: number): void;
  /** The medium said that it is durable, and it is not. */
  lied(shard: Shard): void;
  syncFailed(): void;
  /** The log under a node broke a promise of its own, and no fault of the medium excuses it. */
  violated(property: "S2" | "S3" | "S4" | "S5" | "S7", sentence: string): void;
}
