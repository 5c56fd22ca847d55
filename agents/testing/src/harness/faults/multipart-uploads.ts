/** Uploads large objects in parts, for a load. */
import { createHash } from "node:crypto";
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { randomBody } from "../ledger.ts";

const MIB = 1_048_576;
/** Smallest part that may be followed by others. */
const PART_BYTES = 5 * MIB;
const LAST_PART_BYTES = 100_000;

export const makeLargeBody = (key: string, serial: number): Buffer =>
  randomBody(createHash("sha256").update(`${key} ${serial}`).digest(), PART_BYTES + LAST_PART_BYTES);

export async function uploadInParts(
  s3: S3Client,
  { Bucket, Key, Body }: { readonly Bucket: string; readonly Key: string; readonly Body: Buffer },
): Promise<void> {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const Parts: CompletedPart[] = [];
  for (let from = 0; from < Body.length; from += PART_BYTES) {
    const PartNumber = Parts.length + 1;
    const part = { Bucket, Key, UploadId, PartNumber, Body: Body.subarray(from, from + PART_BYTES) };
    const { ETag } = await s3.send(new UploadPartCommand(part));
    Parts.push({ PartNumber, ETag });
  }
  await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
}
