/** Messages to pods: from coordinators, from stash devices and from other pods. */
import type { Shard, ShardHeader, UploadHeader, UploadId } from "../shard.ts";
import type { VersionOrder } from "../version-order.ts";
import type { Condition, DeathProof, RefusalWish } from "./terms.ts";

export interface PodAppend {
  readonly type: "pod.append";
  readonly shard: Shard;
  /**
   * A `put` obeys order and condition. A `push` completes an upload that may live. A `repair` completes one that is
   * proved to live, which voids a promise never to take it.
   */
  readonly purpose: "put" | "push" | "repair";
  /** True if the pod must answer after fsync instead of after the write. */
  readonly isDurable: boolean;
  readonly condition: Condition;
  /** Boot that the sender knows; another boot refuses, so that nothing written before a crash counts after it. */
  readonly bootId: number;
  readonly stashDeviceId: number | null;
}

export type PodMessage =
  | PodAppend
  /**
   * Asks the pod for its `coordinator.hello`. Everything below `floor` is final on every pod, so tombstones below it
   * may be forgotten (pod/horizon.ts).
   */
  | { readonly type: "pod.greet"; readonly floor: VersionOrder }
  /**
   * Asks whether the pod still holds this upload, in this boot. Sent if the last shard that an acknowledgement relies
   * on is only in a page cache.
   */
  | { readonly type: "pod.confirm"; readonly uploadId: UploadId; readonly bootId: number }
  | {
      readonly type: "pod.find";
      readonly requestId: number;
      readonly bucket: string;
      readonly key: string;
      /** If true, a pod that holds a shard of the highest version reads it before it answers, and sends it along. */
      readonly isEager: boolean;
    }
  | {
      readonly type: "pod.list";
      readonly requestId: number;
      readonly bucket: string;
      readonly prefix: string;
      readonly after: string;
      readonly keyCountMax: number;
      /** If true, the digest of the page is enough: `coordinator.listedAlike` instead of `coordinator.listed`. */
      readonly isBrief: boolean;
      /** Not empty if the pod may leave out keys of common prefixes; pods of an earlier release leave out none. */
      readonly delimiter: string;
    }
  /**
   * Asks for the pod's state of this upload, which the pod makes durable before it answers. `refuse` asks for a
   * promise never to take it.
   */
  | {
      readonly type: "pod.probe";
      readonly requestId: number;
      readonly upload: UploadHeader;
      readonly refuse: RefusalWish;
      /** True if the upload is committed; the probe is then a `pod.note` with an answer. */
      readonly isCommitted: boolean;
    }
  | { readonly type: "pod.load"; readonly requestId: number; readonly uploadId: UploadId }
  /** `committed`: the upload may be shown. `complete`: all n pods hold their shard as well. */
  | { readonly type: "pod.note"; readonly uploadId: UploadId; readonly outcome: "committed" | "complete" }
  | { readonly type: "pod.discard"; readonly upload: UploadHeader; readonly proof: DeathProof }
  | {
      readonly type: "pod.handoff";
      readonly deviceId: number;
      readonly bootId: number;
      readonly shards: readonly Shard[];
      /** Shards that the device keeps for this pod but whose bytes it cannot return. */
      readonly damaged: readonly ShardHeader[];
      /** Position of the pull that this answers; null for an unrequested offer. */
      readonly cursor: number | null;
      readonly isLast: boolean;
    }
  /** A device does not know this pod's boot (the device has restarted): the pod pulls again, which identifies it. */
  | { readonly type: "pod.announce"; readonly deviceId: number }
  /** Asks for the digests of the pod's index, bucket by bucket. Answered by `pod.digests`. */
  | { readonly type: "pod.compare"; readonly from: number; readonly bootId: number }
  | (PeerAnswer & { readonly type: "pod.digests"; readonly digests: readonly BucketDigest[] })
  /** Requests the uploads in these buckets that arrived after this one. Answered by `pod.indexPage`. */
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

/** Common fields of a pod's answers about its index. */
interface PeerAnswer {
  readonly from: number;
  readonly fromBootId: number;
  /** Boot that sent the request. */
  readonly bootId: number;
  /** True if the pod has pulled from the stash itself, without which a comparison is pointless. */
  readonly isReplayed: boolean;
  /** The peer accepts nothing below this order that it does not already hold. */
  readonly horizon: VersionOrder;
}

export interface BucketDigest {
  readonly bucket: number;
  readonly digest: number;
}
