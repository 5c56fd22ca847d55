/** Messages to stash devices: from coordinators and from pods. */
import type { Shard, UploadHeader, UploadId } from "../shard.ts";
import type { DeathProof, PodIdentity, PurgeEntry } from "./terms.ts";

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
