/** All operations: the permission that each needs of an access key, and the function that carries it out. */
import { createBucket, deleteBucket, getBucketLocation, headBucket, listBuckets } from "./buckets.ts";
import type { BucketCall, ObjectCall, S3Reply, ServiceCall } from "./call.ts";
import {
  readBucketConfiguration,
  readObjectConfiguration,
  removeBucketConfiguration,
  writeBucketConfiguration,
  writeObjectConfiguration,
} from "./configuration/operations.ts";
import { copyObject } from "./copy.ts";
import { listObjectsV1, listObjectsV2, listObjectVersions } from "./list-objects.ts";
import { completeMultipartUpload } from "./multipart/complete.ts";
import { listMultipartUploads, listParts } from "./multipart/list.ts";
import {
  abortMultipartUpload,
  createMultipartUpload,
  uploadPart,
  uploadPartCopy,
} from "./multipart/upload.ts";
import { getObjectAttributes } from "./object-attributes.ts";
import { deleteObjectTagging, getObjectTagging, putObjectTagging } from "./object-tagging.ts";
import { postObject } from "./post-object/post-object.ts";
import { getObject, headObject } from "./read-object.ts";
import { deleteObject, deleteObjects, putObject } from "./write-object.ts";

interface Entry<Call> {
  readonly wish: "read" | "write";
  readonly run: (call: Call) => Promise<S3Reply>;
}

const read = <Call>(run: Entry<Call>["run"]): Entry<Call> => ({ wish: "read", run });
const write = <Call>(run: Entry<Call>["run"]): Entry<Call> => ({ wish: "write", run });

export const serviceOperations = {
  ListBuckets: read<ServiceCall>(listBuckets),
} as const;

export const bucketOperations = {
  CreateBucket: write<BucketCall>(createBucket),
  DeleteBucket: write<BucketCall>(deleteBucket),
  DeleteBucketConfiguration: write<BucketCall>(removeBucketConfiguration),
  DeleteObjects: write<BucketCall>(deleteObjects),
  GetBucketConfiguration: read<BucketCall>(readBucketConfiguration),
  GetBucketLocation: read<BucketCall>(getBucketLocation),
  HeadBucket: read<BucketCall>(headBucket),
  ListMultipartUploads: read<BucketCall>(listMultipartUploads),
  ListObjects: read<BucketCall>(listObjectsV1),
  ListObjectVersions: read<BucketCall>(listObjectVersions),
  ListObjectsV2: read<BucketCall>(listObjectsV2),
  PutBucketConfiguration: write<BucketCall>(writeBucketConfiguration),
} as const;

export const objectOperations = {
  AbortMultipartUpload: write<ObjectCall>(abortMultipartUpload),
  CompleteMultipartUpload: write<ObjectCall>(completeMultipartUpload),
  CopyObject: write<ObjectCall>(copyObject),
  CreateMultipartUpload: write<ObjectCall>(createMultipartUpload),
  DeleteObject: write<ObjectCall>(deleteObject),
  DeleteObjectTagging: write<ObjectCall>(deleteObjectTagging),
  GetObject: read<ObjectCall>(getObject),
  GetObjectAttributes: read<ObjectCall>(getObjectAttributes),
  GetObjectConfiguration: read<ObjectCall>(readObjectConfiguration),
  GetObjectTagging: read<ObjectCall>(getObjectTagging),
  HeadObject: read<ObjectCall>(headObject),
  ListParts: read<ObjectCall>(listParts),
  PostObject: write<ObjectCall>(postObject),
  PutObject: write<ObjectCall>(putObject),
  PutObjectConfiguration: write<ObjectCall>(writeObjectConfiguration),
  PutObjectTagging: write<ObjectCall>(putObjectTagging),
  UploadPart: write<ObjectCall>(uploadPart),
  UploadPartCopy: write<ObjectCall>(uploadPartCopy),
} as const;

export type BucketOperationName = keyof typeof bucketOperations;
export type ObjectOperationName = keyof typeof objectOperations;
export type OperationName = keyof typeof serviceOperations | BucketOperationName | ObjectOperationName;
