/** GetObjectAttributes as the AWS SDK for JavaScript sees it. */
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { useAwsClient, useEdge } from "../testing/use-edge.ts";

const Bucket = "attributes";
const MIB = 1_048_576;
const ObjectAttributes = ["ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize"] as const;
const all = { Bucket, ObjectAttributes: [...ObjectAttributes] };
const edge = await useEdge();
const s3 = useAwsClient(edge);
await s3.send(new CreateBucketCommand({ Bucket }));

test("an object in one piece has no parts", async () => {
  await s3.send(new PutObjectCommand({ Bucket, Key: "k", Body: "hello", ChecksumAlgorithm: "CRC32" }));
  const { $metadata, LastModified, ...found } = await s3.send(
    new GetObjectAttributesCommand({ ...all, Key: "k" }),
  );
  expect(found).toEqual({
    ETag: "5d41402abc4b2a76b9719d911017c592",
    Checksum: { ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT" },
    StorageClass: "STANDARD",
    ObjectSize: 5,
  });
  expect([LastModified instanceof Date, $metadata.httpStatusCode]).toEqual([true, 200]);
  const size = await s3.send(
    new GetObjectAttributesCommand({ Bucket, Key: "k", ObjectAttributes: ["ObjectSize"] }),
  );
  expect([size.ObjectSize, size.ETag]).toEqual([5, undefined]);
});

test("the parts of a multipart upload come page by page", async () => {
  const name = { Bucket, Key: "parts" };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(name));
  const Parts = [];
  for (const [i, size] of [5 * MIB, 5 * MIB, 7].entries()) {
    const PartNumber = 2 * i + 1;
    const part = { ...name, UploadId, PartNumber, Body: Buffer.alloc(size) };
    Parts.push({ PartNumber, ETag: (await s3.send(new UploadPartCommand(part))).ETag });
  }
  await s3.send(new CompleteMultipartUploadCommand({ ...name, UploadId, MultipartUpload: { Parts } }));
  const first = await s3.send(new GetObjectAttributesCommand({ ...all, ...name, MaxParts: 2 }));
  expect(first.ETag).toMatch(/^[0-9a-f]{32}-3$/);
  expect(first.ObjectParts).toMatchObject({
    TotalPartsCount: 3,
    IsTruncated: true,
    NextPartNumberMarker: "2",
    MaxParts: 2,
    Parts: [
      { PartNumber: 1, Size: 5 * MIB },
      { PartNumber: 2, Size: 5 * MIB },
    ],
  });
  const rest = await s3.send(new GetObjectAttributesCommand({ ...all, ...name, PartNumberMarker: "2" }));
  expect(rest.ObjectParts).toMatchObject({ IsTruncated: false, Parts: [{ PartNumber: 3, Size: 7 }] });
});

test.each([
  [{ Key: "none" }, "NoSuchKey"],
  [{ Key: "k", ObjectAttributes: [] }, "InvalidArgument"],
  [{ Key: "k", ObjectAttributes: ["Colour" as "ETag"] }, "InvalidArgument"],
])("the request %j is refused as %s", async (change, name) => {
  await expect(s3.send(new GetObjectAttributesCommand({ ...all, ...change }))).rejects.toMatchObject({
    name,
  });
});
