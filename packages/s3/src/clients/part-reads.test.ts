/** Tests GET and HEAD by part number, and parts copied from beyond the end of their source. */
import { randomBytes } from "node:crypto";
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, test } from "vitest";
import { useAwsClient, useEdge } from "../testing/use-edge.ts";

const MIB = 1_048_576;
const Bucket = "parts";
const bodies = [randomBytes(5 * MIB), randomBytes(6 * MIB), randomBytes(77)];
const totalBytes = 11 * MIB + 77;
const edge = await useEdge();
const s3 = useAwsClient(edge);

beforeAll(async () => {
  await s3.send(new CreateBucketCommand({ Bucket }));
  const Key = "large";
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const Parts = [];
  for (const [i, Body] of bodies.entries()) {
    // Part numbers have gaps, which S3 allows.
    const PartNumber = 10 * (i + 1);
    const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
    Parts.push({ PartNumber, ETag });
  }
  await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
  await s3.send(new PutObjectCommand({ Bucket, Key: "simple", Body: "0123456789" }));
  await s3.send(new PutObjectCommand({ Bucket, Key: "empty", Body: "" }));
});

test.each(["SHA256", "CRC32"] as const)(
  "a part has the %s with which it was uploaded",
  async (ChecksumAlgorithm) => {
    const name = { Bucket, Key: ChecksumAlgorithm };
    const field = `Checksum${ChecksumAlgorithm}` as const;
    const begun = await s3.send(new CreateMultipartUploadCommand({ ...name, ChecksumAlgorithm }));
    const Parts = [];
    for (const [i, Body] of bodies.entries()) {
      const part = { ...name, UploadId: begun.UploadId, PartNumber: i + 1, Body, ChecksumAlgorithm };
      const { ETag, [field]: checksum } = await s3.send(new UploadPartCommand(part));
      Parts.push({ PartNumber: i + 1, ETag, [field]: checksum });
    }
    const request = { ...name, UploadId: begun.UploadId, MultipartUpload: { Parts } };
    const { [field]: whole } = await s3.send(new CompleteMultipartUploadCommand(request));
    for (const { PartNumber, [field]: checksum } of Parts) {
      const read = { ...name, PartNumber, ChecksumMode: "ENABLED" as const };
      const described = { ChecksumType: "COMPOSITE", [field]: checksum };
      expect(await s3.send(new HeadObjectCommand(read))).toMatchObject(described);
      const { Body, ...got } = await s3.send(new GetObjectCommand(read));
      expect(got).toMatchObject(described);
      expect((await Body?.transformToByteArray())?.length).toBe(bodies[PartNumber - 1]?.length);
    }
    expect(await s3.send(new HeadObjectCommand({ ...name, ChecksumMode: "ENABLED" }))).toMatchObject({
      [field]: whole,
    });
    const asked = { ...name, ObjectAttributes: ["ObjectParts" as const], MaxParts: 2, PartNumberMarker: "1" };
    const { ObjectParts } = await s3.send(new GetObjectAttributesCommand(asked));
    expect(ObjectParts?.Parts?.map((part) => part[field])).toEqual(Parts.slice(1).map((part) => part[field]));
  },
);

test.each([
  [1, `bytes 0-${5 * MIB - 1}/${totalBytes}`],
  [2, `bytes ${5 * MIB}-${11 * MIB - 1}/${totalBytes}`],
  [3, `bytes ${11 * MIB}-${totalBytes - 1}/${totalBytes}`],
])("part %i of an object is read as its range, by GET and by HEAD", async (PartNumber, ContentRange) => {
  const body = bodies[PartNumber - 1] as Buffer;
  const described = {
    $metadata: { httpStatusCode: 206 },
    ContentRange,
    ContentLength: body.length,
    PartsCount: 3,
    ETag: expect.stringMatching(/-3"$/),
  };
  const got = await s3.send(new GetObjectCommand({ Bucket, Key: "large", PartNumber }));
  expect(got).toMatchObject(described);
  expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(body)).toBe(true);
  expect(await s3.send(new HeadObjectCommand({ Bucket, Key: "large", PartNumber }))).toMatchObject(described);
});

test("part 1 of an object in one piece is the whole object, and empty if the object is", async () => {
  const got = await s3.send(new GetObjectCommand({ Bucket, Key: "simple", PartNumber: 1 }));
  expect(got).toMatchObject({ $metadata: { httpStatusCode: 206 }, ContentRange: "bytes 0-9/10" });
  expect(got.PartsCount).toBeUndefined();
  expect(await got.Body?.transformToString()).toBe("0123456789");
  const empty = await s3.send(new HeadObjectCommand({ Bucket, Key: "empty", PartNumber: 1 }));
  expect(empty).toMatchObject({ $metadata: { httpStatusCode: 200 }, ContentLength: 0 });
});

describe("an invalid part number", () => {
  test.each([
    ["large", 4, 416, "InvalidPartNumber"],
    ["large", 10, 416, "InvalidPartNumber"],
    ["large", 1_000_000, 416, "InvalidPartNumber"],
    ["simple", 2, 416, "InvalidPartNumber"],
    ["empty", 2, 416, "InvalidPartNumber"],
    ["large", 0, 400, "InvalidArgument"],
    ["none", 1, 404, "NoSuchKey"],
  ])("of the object %s is refused: %i", async (Key, PartNumber, status, name) => {
    await expect(s3.send(new GetObjectCommand({ Bucket, Key, PartNumber }))).rejects.toMatchObject({
      name,
      $metadata: { httpStatusCode: status },
    });
    await expect(s3.send(new HeadObjectCommand({ Bucket, Key, PartNumber }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: status },
    });
  });

  test("with a range is refused", async () => {
    const get = new GetObjectCommand({ Bucket, Key: "large", PartNumber: 1, Range: "bytes=0-1" });
    await expect(s3.send(get)).rejects.toMatchObject({ name: "InvalidRequest" });
  });
});

test("conditions apply to parts too", async () => {
  const get = new GetObjectCommand({ Bucket, Key: "large", PartNumber: 1, IfMatch: '"other"' });
  await expect(s3.send(get)).rejects.toMatchObject({ name: "PreconditionFailed" });
});

test.each([
  ["bytes=0-10", "InvalidRange", 416],
  ["bytes=10-10", "InvalidRange", 416],
  ["bytes=500-600", "InvalidRange", 416],
  ["bytes=5-4", "InvalidArgument", 400],
  ["bytes=-5", "InvalidArgument", 400],
  ["bytes=0-9", null, 200],
])("copying a part from %s of ten bytes fails with %s", async (CopySourceRange, name, status) => {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "copied" }));
  const CopySource = `/${Bucket}/simple`;
  const part = { Bucket, Key: "copied", UploadId, PartNumber: 1, CopySource, CopySourceRange };
  const outcome = await s3.send(new UploadPartCopyCommand(part)).catch((error) => error);
  expect(outcome.$metadata.httpStatusCode).toBe(status);
  expect(outcome instanceof Error ? outcome.name : null).toBe(name);
});
