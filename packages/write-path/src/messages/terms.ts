/** Common parts of messages: the sender, a pod's shards and free space, and its reasons for refusals. */
import type { UploadHeader, UploadId } from "../shard.ts";
import type { VersionOrder } from "../version-order.ts";

/** `c3`, `p0` or `s12`: a coordinator, a pod, a stash device. */
export type Address = `c${number}` | `p${number}` | `s${number}`;
export const coordinatorAddress = (id: number): Address => `c${id}`;
export const podAddress = (podIndex: number): Address => `p${podIndex}`;
export const stashAddress = (deviceId: number): Address => `s${deviceId}`;

/** State of a key that a conditional write requires. */
export type Condition =
  | { readonly type: "none" }
  | { readonly type: "absent" }
  | { readonly type: "etag"; readonly etag: string }
  /** The newest version must be this upload; another one with the same bytes, and so the same ETag, does not count. */
  | { readonly type: "version"; readonly uploadId: UploadId };

/** Identity of a pod at this moment: a new boot has another boot id, a new drive another drive id. */
export interface PodIdentity {
  readonly podIndex: number;
  readonly driveId: string;
  /**
   * Rises with every boot, even across the drives of a pod; the shell uses the wall clock, or one more than its last
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
  /** The pod has no space for the upload; the refusal loses nothing. */
  | "full"
  | "failed";

/** Free space assumed for a pod that has not reported any. Uploads are sent to it, and it decides itself. */
export const FREE_BYTES_UNKNOWN = Number.MAX_SAFE_INTEGER;

/** Free space of a pod, as its log counts it. */
export interface PodFreeSpace {
  /** Bytes that further records of data may take. */
  readonly freeBytes: number;
  /** True if data has no space until compaction has freed some. */
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
  /** `known`: the pod knows that the upload exists but lacks its shard. */
  readonly holds: "known" | "written" | "durable";
  readonly isCommitted: boolean;
}

/**
 * Reason why a node that should hold a shard does not send it: its bytes fail their checksum, or its drive gives no
 * answer.
 */
export type MissingReason = "damaged" | "unreadable";

/**
 * `damaged`: the pod held the shard durably, but its bytes fail their checksum. `superseded`: a later version of the
 * key is committed, and the pod may have dropped this one because of it.
 */
export type PodProbeAnswer =
  | "superseded"
  | "absent"
  | "refused"
  | "known"
  | "knownRefused"
  | "damaged"
  | "written"
  | "durable";
