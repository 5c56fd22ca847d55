/**
 * Requests from a state machine to its shell. Machines decide and shells act: shells own the sockets, the log, the
 * codec and the clock, and return results as events.
 */
import type { Address, Condition, Message, PodFreeSpace, PodIdentity } from "./messages/index.ts";
import type { VaultConfig } from "./placement.ts";
import type { Shard, UploadHeader, UploadId } from "./shard.ts";
import type { VersionOrder } from "./version-order.ts";

export type Send = { readonly type: "send"; readonly to: Address; readonly message: Message };
/** Requests the event `timer` with this key after this delay; setting a key again replaces the earlier timer. */
export type SetTimer = { readonly type: "setTimer"; readonly key: string; readonly delayMs: number };
/** A broken invariant or a failed disk: the process ends, and restarts by recovery. */
export type Halt = { readonly type: "halt"; readonly reason: string };

export type TimerEvent = { readonly type: "timer"; readonly key: string };

export type PutOutcome =
  | { readonly type: "stored"; readonly path: "stash" | "direct"; readonly upload: UploadHeader }
  /** A version order was not above the key's; the shell tries again with another upload id. */
  | { readonly type: "again" }
  | { readonly type: "precondition" }
  | { readonly type: "conflict" }
  /**
   * Pods know another epoch of the vault than this coordinator, and nothing was stored. The shell retries a little
   * later.
   */
  | { readonly type: "outdated" }
  /** Too few pods have space for the upload. */
  | { readonly type: "full" }
  | { readonly type: "unavailable" };

export type GetOutcome =
  /** Includes k good shards of one upload, in any order; none for a HEAD or an empty object. */
  | { readonly type: "found"; readonly upload: UploadHeader; readonly shards: readonly Shard[] }
  | { readonly type: "absent" }
  | { readonly type: "undecodable"; readonly shortage: Shortage }
  | { readonly type: "unavailable" };

/** Reason why an existing object cannot be read: fewer than k of its shards are readable. */
export interface Shortage {
  readonly upload: UploadHeader;
  readonly readableCount: number;
  readonly neededCount: number;
  /** n */
  readonly shardCount: number;
  /**
   * Pods by the reason why they sent no shard: it fails its checksum, the drive fails to read it, the pod holds none,
   * or the pod is silent.
   */
  readonly damagedPods: readonly number[];
  readonly unreadablePods: readonly number[];
  readonly missingPods: readonly number[];
  readonly silentPods: readonly number[];
}

export type ListOutcome =
  | {
      readonly type: "listed";
      readonly uploads: readonly UploadHeader[];
      readonly truncatedAfter: string | null;
    }
  | { readonly type: "unavailable" };

export type CoordinatorEffect =
  | Send
  | SetTimer
  | { readonly type: "answerPut"; readonly token: number; readonly outcome: PutOutcome }
  | { readonly type: "answerGet"; readonly token: number; readonly outcome: GetOutcome }
  | { readonly type: "answerList"; readonly token: number; readonly outcome: ListOutcome }
  /** Decodes these k shards and encodes the missing ones; answered by `reconstructed`. */
  | {
      readonly type: "reconstruct";
      readonly uploadId: UploadId;
      readonly shards: readonly Shard[];
      readonly missing: readonly number[];
    };

export interface PutRequest {
  readonly type: "put";
  readonly token: number;
  readonly uploadId: UploadId;
  readonly kind: "object" | "tombstone";
  readonly bucket: string;
  readonly key: string;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly contentType: string;
  readonly userMetadata: Readonly<Record<string, string>>;
  readonly condition: Condition;
  /** Bypasses the stash even with a small body, for comparison. */
  readonly isDirect?: boolean;
  /**
   * Pods accept the upload even when full: it is no larger than the version it replaces, or the vault needs it for
   * its own operation.
   */
  readonly isReplacement?: boolean;
  /** Has n payloads, data first; empty ones for a tombstone. */
  readonly payloads: readonly Uint8Array[];
  readonly payloadCrcs: readonly number[];
}

/** The vault is in another epoch, which the shell has stored for this machine's next start. */
export type ConfiguredEvent = { readonly type: "configured"; readonly config: VaultConfig };

/** The wall clock was stepped or slewed; deadlines are unaffected. */
export type ClockMovedEvent = { readonly type: "clockMoved"; readonly wallAheadMs: number };

export type CoordinatorEvent =
  | TimerEvent
  | ConfiguredEvent
  | ClockMovedEvent
  | { readonly type: "started" }
  | PutRequest
  | {
      readonly type: "get";
      readonly token: number;
      readonly bucket: string;
      readonly key: string;
      readonly headOnly: boolean;
    }
  | {
      readonly type: "list";
      readonly token: number;
      readonly bucket: string;
      readonly prefix: string;
      readonly after: string;
      readonly keyCountMax: number;
      /** Not empty if one object of each common prefix is enough. */
      readonly delimiter: string;
    }
  | { readonly type: "reconstructed"; readonly uploadId: UploadId; readonly shards: readonly Shard[] }
  /** The connection to a stash device's node broke. */
  | { readonly type: "deviceLost"; readonly deviceId: number }
  | { readonly type: "message"; readonly from: Address; readonly message: Message };

/** A record of a node's log; `position` belongs to the log and is opaque here. */
export interface LoggedShard<Position> {
  readonly upload: UploadHeader;
  readonly shardIndex: number;
  readonly payloadCrc: number;
  readonly position: Position;
  /** Outcome reported to an earlier boot, if the log kept it. */
  readonly outcome: Outcome | null;
  /** True if the log has the header, but its payload fails the checksum or is known to be lost. */
  readonly isDamaged?: boolean;
}

/** Created one by one during iteration, because a log may hold more of them than fit into the heap. */
export interface LoggedShards<Position> extends Iterable<LoggedShard<Position>> {
  readonly length: number;
}

/**
 * A drive's answer to a read. Only bytes that were read and fail their checksum are rot. A drive that gives no answer
 * may give it later, and a record killed in between is gone.
 */
export type ShardRead =
  | { readonly type: "shard"; readonly shard: Shard }
  | { readonly type: "corrupt" }
  | { readonly type: "unreadable" }
  | { readonly type: "gone" };

/**
 * Outcome of an upload: `committed` means that it may be shown, `complete` that all n pods hold their shard as well.
 * Neither is ever revoked.
 */
export type Outcome = "committed" | "complete";

/** A pod's promise never to take an upload. */
export interface Refusal {
  readonly uploadId: UploadId;
  /** True if the pod knew that the upload exists, and may once have held its shard. */
  readonly isKnowing: boolean;
  /** Version order of the upload: once the pod's horizon is above it, the promise needs no record of its own. */
  readonly order: VersionOrder;
}

/** Part of a log's reserve that a record may use; the log defines the limits. */
export type SpaceClass = "data" | "replacement" | "repair" | "removal";

export type LogEffect<Position> =
  /**
   * Appends a shard. On a pod it is answered once it is in the page cache; on a stash device, once a group commit has
   * made it durable.
   */
  | { readonly type: "append"; readonly shard: Shard; readonly room: SpaceClass }
  /** Marks the record as dead. If a crash loses this, the record only leaks. */
  | {
      readonly type: "kill";
      readonly uploadId: UploadId;
      readonly shardIndex: number;
      readonly position: Position;
    }
  | { readonly type: "load"; readonly loadId: number; readonly position: Position };

export type LogEvent<Position> =
  | {
      readonly type: "appended";
      readonly uploadId: UploadId;
      readonly shardIndex: number;
      readonly position: Position;
    }
  | {
      readonly type: "appendFailed";
      readonly uploadId: UploadId;
      readonly shardIndex: number;
      /**
       * `busy`: there will be space soon. `refused`: the log never accepts this record, because it is too large or does
       * not match its checksum.
       */
      readonly reason: "full" | "busy" | "failed" | "refused";
    }
  /** Bytes that fail their checksum, found by a scrub or by compaction. The record stays in the log. */
  | { readonly type: "corrupt"; readonly uploadId: UploadId; readonly shardIndex: number }
  /** The drive failed to read the record during a scrub. */
  | { readonly type: "unreadable"; readonly uploadId: UploadId; readonly shardIndex: number }
  | { readonly type: "loaded"; readonly loadId: number; readonly read: ShardRead };

export type PodEffect<Position> =
  | Send
  | SetTimer
  | Halt
  | LogEffect<Position>
  /** Requests one fdatasync for all earlier appends; answered by `flushed` or `flushFailed`. */
  | { readonly type: "flush" }
  /** Notes the outcome of this record's upload, which the log may report to the next boot. */
  | { readonly type: "remember"; readonly position: Position; readonly outcome: Outcome }
  /** Writes the promise never to take this upload, and makes it durable. */
  | { readonly type: "persistRefusal"; readonly refusal: Refusal }
  /**
   * The horizon covers the promise from now on, or the promise is void. If a crash loses this effect, the record only
   * leaks.
   */
  | { readonly type: "forgetRefusal"; readonly uploadId: UploadId }
  /** Writes the horizon and makes it durable; answered by `horizonPersisted`. */
  | { readonly type: "persistHorizon"; readonly horizon: VersionOrder };

export type PodEvent<Position> =
  | TimerEvent
  | ConfiguredEvent
  | ClockMovedEvent
  | LogEvent<Position>
  | {
      readonly type: "recovered";
      readonly identity: PodIdentity;
      readonly shards: LoggedShards<Position>;
      /** Settled uploads of the last boot whose records were killed or replaced after it was saved. */
      readonly displaced?: readonly UploadId[];
      readonly refusals: readonly Refusal[];
      /** Highest horizon in the log; the lowest order if there is none. */
      readonly horizon: VersionOrder;
    }
  | { readonly type: "flushed" }
  | { readonly type: "flushFailed" }
  | { readonly type: "refusalPersisted"; readonly uploadId: UploadId }
  | { readonly type: "horizonPersisted"; readonly horizon: VersionOrder }
  /** The free space of the log, reported whenever it has changed notably. */
  | { readonly type: "room"; readonly room: PodFreeSpace }
  | { readonly type: "message"; readonly from: Address; readonly message: Message };

export type StashEffect<Position> = Send | SetTimer | Halt | LogEffect<Position>;

export type StashEvent<Position> =
  | TimerEvent
  | ConfiguredEvent
  | LogEvent<Position>
  | { readonly type: "recovered"; readonly shards: LoggedShards<Position> }
  /** Occupancy as the log counts it, reported whenever it crosses the limit. */
  | { readonly type: "occupancy"; readonly isFull: boolean }
  | { readonly type: "message"; readonly from: Address; readonly message: Message };
