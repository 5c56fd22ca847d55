/**
 * Assigns each operation to a lane. Each lane has separate slots, so a flood of one kind of request does not block the
 * others: a vault that is overloaded with uploads still reads, lists and, above all, deletes. Weights in a single queue
 * would not do, because operations wait for different resources: an upload for every pod and the stash, a read for k
 * shards, a list for an index.
 */
import type { OperationName } from "@stashlight/s3";
import type { LaneLimits } from "./lane.ts";

export type LaneName = "upload" | "read" | "list" | "delete";

export const laneOf: Readonly<Record<OperationName, LaneName>> = {
  PutObject: "upload",
  PostObject: "upload",
  CopyObject: "upload",
  CreateBucket: "upload",
  CreateMultipartUpload: "upload",
  PutBucketConfiguration: "upload",
  PutObjectConfiguration: "upload",
  PutObjectTagging: "upload",
  DeleteObjectTagging: "upload",
  UploadPart: "upload",
  UploadPartCopy: "upload",
  CompleteMultipartUpload: "upload",
  GetObject: "read",
  HeadObject: "read",
  HeadBucket: "read",
  GetBucketConfiguration: "read",
  GetBucketLocation: "read",
  GetObjectAttributes: "read",
  GetObjectConfiguration: "read",
  GetObjectTagging: "read",
  ListBuckets: "list",
  ListObjects: "list",
  ListObjectsV2: "list",
  ListObjectVersions: "list",
  ListParts: "list",
  ListMultipartUploads: "list",
  DeleteObject: "delete",
  DeleteObjects: "delete",
  AbortMultipartUpload: "delete",
  DeleteBucket: "delete",
  DeleteBucketConfiguration: "delete",
};

/** Fixed cost of a request, in bytes of body: signing, encoding and sending to every pod. */
export const REQUEST_COST_BYTES = 65_536;
const MIB = 1_048_576;

/** Upper bounds; work is usually shed earlier, by its expected delay. */
const queue = { countMax: 1024, countPerKeyMax: 512 };

export const laneLimits: Readonly<Record<LaneName, LaneLimits>> = {
  upload: {
    ...queue,
    /** One upload of the usual size per turn. */
    quantum: MIB / 4 + REQUEST_COST_BYTES,
    slotsMin: 16,
    slotsMax: 64,
    /**
     * Eight of the largest uploads that use the stash, or one piece. Each body is sent 2 (k + m) / k times over,
     * through bounded queues; more at a time would be dropped there, without being faster.
     */
    bytesMax: 8 * MIB,
  },
  read: { ...queue, quantum: 1, slotsMin: 16, slotsMax: 64, bytesMax: 1 },
  list: { ...queue, quantum: 1, slotsMin: 4, slotsMax: 8, bytesMax: 1 },
  delete: { ...queue, quantum: 1, slotsMin: 8, slotsMax: 32, bytesMax: 1 },
};
