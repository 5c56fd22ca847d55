/** Messages to coordinators: from pods and from stash devices. */
import type { Shard, UploadHeader, UploadId } from "../shard.ts";
import type { VersionOrder } from "../version-order.ts";
import type {
  Address,
  AppendRefusal,
  MissingReason,
  PodFreeSpace,
  PodIdentity,
  PodProbeAnswer,
  VersionView,
} from "./terms.ts";

export type CoordinatorMessage =
  | {
      readonly type: "coordinator.hello";
      readonly pod: PodIdentity;
      readonly isSettled: boolean;
      /** Everything below this order is final on the pod (pod/horizon.ts). */
      readonly finalBelow: VersionOrder;
      /** The pod refuses every put below this order, so a coordinator with a slow wall clock has to exceed it. */
      readonly closedBelow: VersionOrder;
      /**
       * Highest floor that the pod has received: records that are final on all pods stay final, even if others forget
       * the floor.
       */
      readonly floor: VersionOrder;
      readonly room: PodFreeSpace;
    }
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
      /** Current version of the key, for `order`, `condition` and `contested`. */
      readonly present: VersionView | null;
      readonly highestOrder: VersionOrder;
    }
  | {
      readonly type: "coordinator.stashAppended";
      readonly uploadId: UploadId;
      readonly shardIndex: number;
      readonly deviceId: number;
      readonly result: "durable" | "full" | "rebooted" | "failed";
      /** Newest boot of the pod that the device knows. */
      readonly podBootId: number;
    }
  | {
      readonly type: "coordinator.found";
      readonly requestId: number;
      readonly podIndex: number;
      readonly isSettled: boolean;
      readonly versions: readonly VersionView[];
      /** The requested shard; null if the pod holds none, cannot read it, or was not asked for it. */
      readonly shard: Shard | null;
      readonly missingReason: MissingReason | null;
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
      /** Keys after this one were omitted; null if there are none. */
      readonly truncatedAfter: string | null;
      /** Keys of common prefixes of this delimiter were omitted; empty if none were. */
      readonly delimiter: string;
    }
  /** The pod's page is the one with this digest (list-digest.ts). */
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
      /** Order of the key's highest committed version on the pod. */
      readonly committedOrder: VersionOrder;
      readonly isCommitted: boolean;
    }
  | {
      readonly type: "coordinator.stashProbed";
      readonly requestId: number;
      readonly deviceId: number;
      readonly shardIndices: readonly number[];
      /** Indices of shards that the device keeps but whose bytes fail their checksum. */
      readonly damagedIndices: readonly number[];
    }
  | {
      readonly type: "coordinator.loaded";
      readonly requestId: number;
      readonly from: Address;
      /** Empty if the sender holds none, or cannot send it because of the `missingReason`. */
      readonly shards: readonly Shard[];
      readonly missingReason: MissingReason | null;
    }
  /** Asks for the outcome of an upload that was never reported to the pod. */
  | { readonly type: "coordinator.resolve"; readonly upload: UploadHeader };
