/**
 * `/uploads?bucket=B&key=K&key=L`: the shards of all versions of these objects on the drives of a node. Only the nodes
 * know which shards of an object are durable: a check of a vault asks all of its nodes and adds up.
 */

import type { Address, UploadHeader } from "@stashlight/write-path";
import { z } from "zod";
import { parseStoredEtag } from "./objects/index.ts";

export interface HeldShard {
  readonly upload: UploadHeader;
  readonly shardIndex: number;
  /** True if the shard would survive a power cut. */
  readonly isDurable: boolean;
}

export interface ShardHolder {
  readonly address: Address;
  /** Returns the shards of all versions of the object. */
  shardsOf(object: { readonly bucket: string; readonly key: string }): readonly HeldShard[];
}

const reportedShard = z.object({
  address: z.string(),
  key: z.string(),
  uploadId: z.string(),
  kind: z.enum(["object", "tombstone"]),
  order: z.string(),
  etag: z.string(),
  /** Size of the whole body of the upload, which may be a list of pieces. */
  sizeBytes: z.int(),
  shardIndex: z.int(),
  isDurable: z.boolean(),
});
export type ReportedShard = z.infer<typeof reportedShard>;

export const uploadsPageSchema = z.object({ shards: z.array(reportedShard) });
export type UploadsPage = z.infer<typeof uploadsPageSchema>;

export function uploadsPage(holders: readonly ShardHolder[], query: URLSearchParams): UploadsPage {
  const bucket = query.get("bucket") ?? "";
  const shards = query.getAll("key").flatMap((key) =>
    holders.flatMap((holder) =>
      holder.shardsOf({ bucket, key }).map(({ upload, shardIndex, isDurable }) => {
        const { uploadId, kind, order, etag, sizeBytes } = upload;
        return {
          address: holder.address,
          key,
          uploadId,
          kind,
          order,
          etag: parseStoredEtag(etag).etag,
          sizeBytes,
          shardIndex,
          isDurable,
        };
      }),
    ),
  );
  return { shards };
}
