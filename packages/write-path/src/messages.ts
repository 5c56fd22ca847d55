/**
 * What nodes say to each other. Every message may be lost, late, doubled or overtaken by a later one; each handler
 * says what makes that harmless.
 */
import type { Shard, ShardHeader, UploadHeader, UploadId } from "./shard.ts";
import type { VersionOrder } from "./version-order.ts";

/** `c3`, `p0` or `s12`: a coordinator, a pod, a stash device. */
export type Address = `c${number}` | `p${number}` | `s${number}`;
export const coordinatorAddress = (id: number): Address => `c${id}`;
export const podAddress = (podIndex: number): Address => `p${podIndex}`;
export const stashAddress = (deviceId: number): Address => `s${deviceId}`;

/** What a key must hold for a conditional write to happen. */
export type Condition =
  | { readonly type: "none" }
  | { readonly type: "absent" }
  | { readonly type: "etag"; readonly etag: string };

/** Who a pod is at this moment: a new boot has another boot id, a new drive another drive id. */
export interface PodIdentity {
  readonly podIndex: number;
  readonly driveId: string;
  /** Higher is later, across the drives of a pod as well; the shell takes the wall clock, or one more than it used. */
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
  | "failed";

export interface PodAppend {
  readonly type: "pod.append";
  readonly shard: Shard;
  /**
   * A put obeys order and condition. A push completes an upload that may live, and a repair one that is proved to live,
   * which voids a promise never to take it.
   */
  readonly purpose: "put" | "push" | "repair";
  /** Answer after fsync instead of after the write. */
  readonly isDurable: boolean;
  readonly condition: Condition;
  /** The boot the sender knows; another boot refuses, so that nothing written before a crash counts after it. */
  readonly bootId: number;
  readonly stashDeviceId: number | null;
}

export type PodMessage =
  | PodAppend
  /** "Who are you?", answered by `coordinator.hello`. */
  | { readonly type: "pod.greet" }
  /** "Do you still hold this upload, in this boot?" Asked when the last shard an acknowledgement rests on is in a page cache only. */
  | { readonly type: "pod.confirm"; readonly uploadId: UploadId; readonly bootId: number }
  | {
      readonly type: "pod.find";
      readonly requestId: number;
      readonly bucket: string;
      readonly key: string;
      /** A pod that holds a shard of the highest version answers when it has read that, and sends it along. */
      readonly isEager: boolean;
    }
  | {
      readonly type: "pod.list";
      readonly requestId: number;
      readonly bucket: string;
      readonly prefix: string;
      readonly after: string;
      readonly keyCountMax: number;
      /** The digest of the page is enough: `coordinator.listedAlike` instead of `coordinator.listed`. */
      readonly isBrief: boolean;
    }
  /** What do you hold of this upload? `flush` makes it durable first; `refuse` asks for a promise never to take it. */
  | {
      readonly type: "pod.probe";
      readonly requestId: number;
      readonly upload: UploadHeader;
      readonly flush: boolean;
      readonly refuse: RefusalWish;
    }
  | { readonly type: "pod.load"; readonly requestId: number; readonly uploadId: UploadId }
  /** `committed`: it may be shown. `complete`: and all n pods hold their shard. */
  | { readonly type: "pod.note"; readonly uploadId: UploadId; readonly outcome: "committed" | "complete" }
  | { readonly type: "pod.discard"; readonly upload: UploadHeader; readonly proof: DeathProof }
  | {
      readonly type: "pod.handoff";
      readonly deviceId: number;
      readonly bootId: number;
      readonly shards: readonly Shard[];
      /** Position of the pull that this answers; null for an offer nobody asked for. */
      readonly cursor: number | null;
      readonly isLast: boolean;
    }
  /** A device does not know this pod's boot (it has started itself): pull again, which says who you are. */
  | { readonly type: "pod.announce"; readonly deviceId: number }
  /** What does your index look like, bucket by bucket? Answered by `pod.digests`. */
  | { readonly type: "pod.compare"; readonly from: number; readonly bootId: number }
  | (PeerAnswer & { readonly type: "pod.digests"; readonly digests: readonly BucketDigest[] })
  /** Which uploads are in these buckets, of those that came after this one? Answered by `pod.indexPage`. */
  | {
      readonly type: "pod.index";
      readonly from: number;
      readonly bootId: number;
      readonly buckets: readonly number[];
      readonly after: number;
    }
  | (PeerAnswer & {
      readonly type: "pod.indexPage";
      readonly after: number;
      readonly next: number;
      readonly uploads: readonly UploadHeader[];
      readonly isLast: boolean;
    });

/** What pods say of their index begins like this. */
interface PeerAnswer {
  readonly from: number;
  readonly fromBootId: number;
  /** The boot that asked. */
  readonly bootId: number;
  /** Only a pod that has pulled from the stash itself is worth comparing with. */
  readonly isReplayed: boolean;
}

export interface BucketDigest {
  readonly bucket: number;
  readonly digest: number;
}

export type StashMessage =
  | { readonly type: "stash.append"; readonly shard: Shard; readonly podBootId: number }
  | {
      readonly type: "stash.purge";
      readonly pod: PodIdentity;
      readonly epoch: number;
      readonly entries: readonly PurgeEntry[];
    }
  | { readonly type: "stash.pull"; readonly pod: PodIdentity; readonly cursor: number }
  | {
      readonly type: "stash.find";
      readonly requestId: number;
      readonly bucket: string;
      readonly key: string;
    }
  | {
      readonly type: "stash.list";
      readonly requestId: number;
      readonly bucket: string;
      readonly prefix: string;
      readonly after: string;
      readonly keyCountMax: number;
    }
  | { readonly type: "stash.probe"; readonly requestId: number; readonly uploadId: UploadId }
  | { readonly type: "stash.load"; readonly requestId: number; readonly uploadId: UploadId }
  | { readonly type: "stash.discard"; readonly upload: UploadHeader; readonly proof: DeathProof };

/** Whom a probe asks for a promise: nobody, pods that never heard of the upload, or all that lack their shard. */
export type RefusalWish = "nobody" | "unknowing" | "all";

/** Why an upload can never be shown (again): these pods promised never to take it, or a later version is committed. */
export type DeathProof =
  | { readonly type: "refused"; readonly by: readonly number[] }
  | { readonly type: "superseded"; readonly by: VersionOrder };

/** The bytes a pod swears it holds durably. */
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

/** `superseded`: a later version of the key is committed, and the pod may have dropped this one because of it. */
export type PodProbeAnswer =
  | "superseded"
  | "absent"
  | "refused"
  | "known"
  | "knownRefused"
  | "written"
  | "durable";

export type CoordinatorMessage =
  | { readonly type: "coordinator.hello"; readonly pod: PodIdentity; readonly isSettled: boolean }
  | {
      readonly type: "coordinator.podAppended";
      readonly uploadId: UploadId;
      readonly podIndex: number;
      readonly bootId: number;
      readonly result: "written" | "durable";
    }
  | {
      readonly type: "coordinator.confirmed";
      readonly uploadId: UploadId;
      readonly podIndex: number;
      readonly bootId: number;
    }
  | {
      readonly type: "coordinator.podRefused";
      readonly uploadId: UploadId;
      readonly podIndex: number;
      readonly bootId: number;
      readonly reason: AppendRefusal;
      /** What the key holds already, for `order`, `condition` and `contested`. */
      readonly present: VersionView | null;
      readonly highestOrder: VersionOrder;
    }
  | {
      readonly type: "coordinator.stashAppended";
      readonly uploadId: UploadId;
      readonly shardIndex: number;
      readonly deviceId: number;
      readonly result: "durable" | "full" | "rebooted" | "failed";
      /** The pod's newest boot that the device knows. */
      readonly podBootId: number;
    }
  | {
      readonly type: "coordinator.found";
      readonly requestId: number;
      readonly podIndex: number;
      readonly isSettled: boolean;
      readonly versions: readonly VersionView[];
      /** What it was to send along; null when it holds none, or was not asked. */
      readonly shard: Shard | null;
    }
  | {
      readonly type: "coordinator.stashFound";
      readonly requestId: number;
      readonly deviceId: number;
      readonly uploads: readonly UploadHeader[];
    }
  | {
      readonly type: "coordinator.listed";
      readonly requestId: number;
      readonly podIndex: number;
      readonly isSettled: boolean;
      readonly versions: readonly VersionView[];
      /** Keys after this one were left out; null when there are none. */
      readonly truncatedAfter: string | null;
    }
  /** Its page is the one that has this digest (list-digest.ts). */
  | {
      readonly type: "coordinator.listedAlike";
      readonly requestId: number;
      readonly podIndex: number;
      readonly isSettled: boolean;
      readonly digest: number;
    }
  | {
      readonly type: "coordinator.stashListed";
      readonly requestId: number;
      readonly deviceId: number;
      readonly uploads: readonly UploadHeader[];
      readonly truncatedAfter: string | null;
    }
  | {
      readonly type: "coordinator.probed";
      readonly requestId: number;
      readonly podIndex: number;
      readonly bootId: number;
      readonly isSettled: boolean;
      readonly answer: PodProbeAnswer;
      /** Order of the key's highest committed version here. */
      readonly committedOrder: VersionOrder;
      readonly isCommitted: boolean;
    }
  | {
      readonly type: "coordinator.stashProbed";
      readonly requestId: number;
      readonly deviceId: number;
      readonly shardIndices: readonly number[];
    }
  | {
      readonly type: "coordinator.loaded";
      readonly requestId: number;
      readonly from: Address;
      /** Empty when the sender holds none, or only bytes that fail their checksum. */
      readonly shards: readonly Shard[];
    }
  /** A pod asks what became of an upload that nobody told it the end of. */
  | { readonly type: "coordinator.resolve"; readonly upload: UploadHeader };

export type Message = PodMessage | StashMessage | CoordinatorMessage;
export type { ShardHeader };
