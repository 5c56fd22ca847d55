/** Common parts of messages: the sender, a pod's shards and free space, and its reasons to refuse. */
import type { UploadHeader, UploadId } from "../shard.ts";
import type { VersionOrder } from "../version-order.ts";

/** `c3`, `p0` or `s12`: a coordinator, a pod, a stash device. */
export type Address = `c${number}` | `p${number}` | `s${number}`;
export const coordinatorAddress = (id: number): Address => `c${id}`;
export const podAddress = (podIndex: number): Address => `p${podIndex}`;
export const stashAddress = (deviceId: number): Address => `s${deviceId}`;

/** Required state of a key for a conditional write to happen. */
export type Condition =
  | { readonly type: "none" }
  | { readonly type: "absent" }
  | { readonly type: "etag"; readonly etag: string }
  /** The newest version is this upload: another one with the same bytes, and so the same ETag, does not count. */
  | { readonly type: "version"; readonly uploadId: UploadId };

/** Identity of a pod at this moment: a new boot has another boot id, a new drive another drive id. */
export interface PodIdentity {
  readonly podIndex: number;
  readonly driveId: string;
  /**
   * Higher is later, across the drives of a pod as well; the shell uses the wall clock, or one more than its last
   * value.
   */
  readonly bootId: number;
}

export type AppendRefusal =
  | "order"
  | "condition"
  | "contested"
  | "unsettled"
  | "fenced"
  | "rebooted"
  | "epoch"
  | "mismatch"
  /** The pod has no space for it; the refusal loses nothing. */
  | "full"
  | "failed";

/** The free space of a pod that has not reported any. Uploads are sent to it, and it decides itself. */
export const FREE_BYTES_UNKNOWN = Number.MAX_SAFE_INTEGER;

/** The free space of a pod, as its log counts it. */
export interface PodFreeSpace {
  /** Bytes of records that data may still add. */
  readonly freeBytes: number;
  /** Data has no space until compaction has made some. */
  readonly isShort: boolean;
}

/** Pods that a probe asks for a promise: none, those that never knew the upload, or all that lack their shard. */
export type RefusalWish = "nobody" | "unknowing" | "all";

/**
 * Reason why an upload can never be shown (again): these pods promised never to take it, or a later version is
 * committed.
 */
export type DeathProof =
  | { readonly type: "refused"; readonly by: readonly number[] }
  | { readonly type: "superseded"; readonly by: VersionOrder };

/** Bytes that the pod guarantees to hold durably. */
export interface PurgeEntry {
  readonly uploadId: UploadId;
  readonly shardIndex: number;
  readonly payloadCrc: number;
}

/** A pod's view of one version of a key. */
export interface VersionView {
  readonly upload: UploadHeader;
  /** `known`: it knows the upload exists and lacks its shard. */
  readonly holds: "known" | "written" | "durable";
  readonly isCommitted: boolean;
}

/**
 * Reason why a node that should hold a shard does not send it: its bytes fail their checksum, or its drive gives no
 * answer.
 */
export type MissingReason = "damaged" | "unreadable";

/** `damaged`: it held the shard durably, and its bytes fail their checksum. `superseded`: a later version of the key is committed, and the pod may have dropped this one because of it. */
export type PodProbeAnswer =
  | "superseded"
  | "absent"
  | "refused"
  | "known"
  | "knownRefused"
  | "damaged"
  | "written"
  | "durable";
