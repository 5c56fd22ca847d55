/** Tests a client that lost the answer of CompleteMultipartUpload and repeats the request. */
import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  type CompleteMultipartUploadCommandOutput,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { useAwsClient, useEdge } from "../testing/use-edge.ts";

const Bucket = "uploads";
const PART_BYTES = 5 * 1_048_576;
const edge = await useEdge();
const s3 = useAwsClient(edge);
await s3.send(new CreateBucketCommand({ Bucket }));

interface Uploaded {
  readonly Key: string;
  readonly UploadId: string;
  readonly Parts: readonly CompletedPart[];
}

async function upload(Key: string, options: object = {}): Promise<Uploaded> {
  const { UploadId = "" } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...options }));
  const Parts: CompletedPart[] = [];
  for (const [i, Body] of [randomBytes(PART_BYTES), "last"].entries()) {
    const PartNumber = i + 1;
    const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
    Parts.push({ PartNumber, ETag });
  }
  return { Key, UploadId, Parts };
}

const complete = ({ Key, UploadId, Parts }: Uploaded, options: object = {}) =>
  s3.send(
    new CompleteMultipartUploadCommand({
      Bucket,
      Key,
      UploadId,
      MultipartUpload: { Parts: [...Parts] },
      ...options,
    }),
  );

const answerOf = ({ $metadata, ...answer }: CompleteMultipartUploadCommandOutput) => ({
  ...answer,
  status: $metadata.httpStatusCode,
});

test("a repeated completion gets the same answer and checksum every time, and the object is written once", async () => {
  const uploaded = await upload("again", { ChecksumAlgorithm: "CRC32", ChecksumType: "FULL_OBJECT" });
  const first = answerOf(await complete(uploaded));
  expect(first).toMatchObject({
    status: 200,
    ETag: expect.stringMatching(/-2"$/),
    ChecksumCRC32: expect.any(String),
  });
  const written = edge.store.find({ bucket: Bucket, key: "again" });
  for (let count = 0; count < 3; count += 1) expect(answerOf(await complete(uploaded))).toEqual(first);
  expect(edge.store.find({ bucket: Bucket, key: "again" })).toBe(written);
});

test("a repeated completion with If-None-Match or If-Match gets the same answer", async () => {
  const created = await upload("conditional");
  const first = answerOf(await complete(created, { IfNoneMatch: "*" }));
  expect(answerOf(await complete(created, { IfNoneMatch: "*" }))).toEqual(first);
  const replacing = await upload("conditional");
  const second = answerOf(await complete(replacing, { IfMatch: first.ETag }));
  expect(answerOf(await complete(replacing, { IfMatch: first.ETag }))).toEqual(second);
  expect(second.ETag).not.toBe(first.ETag);
});

describe("a repeated completion gets NoSuchUpload", () => {
  const gone = { name: "NoSuchUpload", $metadata: { httpStatusCode: 404 } };

  test.each<[string, (uploaded: Uploaded) => Uploaded]>([
    ["fewer parts", ({ Parts, ...name }) => ({ ...name, Parts: Parts.slice(0, 1) })],
    [
      "the same ETags with other part numbers",
      ({ Parts, ...name }) => ({
        ...name,
        Parts: Parts.map(({ PartNumber = 0, ETag }) => ({ PartNumber: PartNumber + 1, ETag })),
      }),
    ],
    [
      "a different ETag",
      ({ Parts, ...name }) => ({
        ...name,
        Parts: [{ PartNumber: 1, ETag: `"${"0".repeat(32)}"` }, ...Parts.slice(1)],
      }),
    ],
    ["a different upload id", (uploaded) => ({ ...uploaded, UploadId: "upload-999999" })],
    ["a different key", (uploaded) => ({ ...uploaded, Key: "elsewhere" })],
  ])("for %s", async (_, change) => {
    const uploaded = await upload("changed");
    await complete(uploaded);
    await expect(complete(change(uploaded))).rejects.toMatchObject(gone);
  });

  test("after the object was overwritten, even by another upload of the same bytes", async () => {
    const Body = randomBytes(100);
    const sendAll = async (): Promise<Uploaded> => {
      const Key = "overwritten";
      const { UploadId = "" } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
      const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body }));
      return { Key, UploadId, Parts: [{ PartNumber: 1, ETag }] };
    };
    const [first, second] = [await sendAll(), await sendAll()];
    const answers = [await complete(first), await complete(second)];
    expect(answers[1]?.ETag).toBe(answers[0]?.ETag);
    await expect(complete(first)).rejects.toMatchObject(gone);
    await complete(second);
    await s3.send(new PutObjectCommand({ Bucket, Key: "overwritten", Body: "newer" }));
    await expect(complete(second)).rejects.toMatchObject(gone);
    expect(edge.store.find({ bucket: Bucket, key: "overwritten" })?.bytes.toString()).toBe("newer");
  });

  test("after the object was deleted", async () => {
    const uploaded = await upload("deleted");
    await complete(uploaded);
    await s3.send(new DeleteObjectCommand({ Bucket, Key: "deleted" }));
    await expect(complete(uploaded)).rejects.toMatchObject(gone);
    expect(edge.store.find({ bucket: Bucket, key: "deleted" })).toBeUndefined();
  });
});

describe("the announced checksum of the whole object", () => {
  const one = Buffer.alloc(4);
  one.writeUInt32BE(crc32("one"));
  const composite = (algorithm: "sha256", count: number) =>
    `${createHash(algorithm).update(createHash(algorithm).update("one").digest()).digest("base64")}-${count}`;
  const wrong = createHash("sha256").update("x").digest("base64");

  test.each<[string, object, object, string | null]>([
    [
      "CRC32, full",
      { ChecksumAlgorithm: "CRC32", ChecksumType: "FULL_OBJECT" },
      { ChecksumCRC32: "AAAAAA==" },
      "BadDigest",
    ],
    [
      "CRC32, full and correct",
      { ChecksumAlgorithm: "CRC32", ChecksumType: "FULL_OBJECT" },
      { ChecksumCRC32: one.toString("base64") },
      null,
    ],
    ["SHA256, composite", { ChecksumAlgorithm: "SHA256" }, { ChecksumSHA256: wrong }, "BadDigest"],
    [
      "SHA256, composite with its count",
      { ChecksumAlgorithm: "SHA256" },
      { ChecksumSHA256: `${wrong}-1` },
      "BadDigest",
    ],
    [
      "SHA256, composite of more parts",
      { ChecksumAlgorithm: "SHA256" },
      { ChecksumSHA256: composite("sha256", 2) },
      "BadDigest",
    ],
    [
      "SHA256, composite and correct",
      { ChecksumAlgorithm: "SHA256" },
      { ChecksumSHA256: composite("sha256", 1) },
      null,
    ],
    [
      "SHA256, composite and correct without its count",
      { ChecksumAlgorithm: "SHA256" },
      { ChecksumSHA256: composite("sha256", 1).replace("-1", "") },
      null,
    ],
    ["a malformed one", { ChecksumAlgorithm: "SHA256" }, { ChecksumSHA256: "short" }, "InvalidRequest"],
    [
      "one of a different algorithm",
      { ChecksumAlgorithm: "SHA256" },
      { ChecksumCRC32: "AAAAAA==" },
      "InvalidRequest",
    ],
    ["one for parts without checksums", {}, { ChecksumCRC32: "AAAAAA==" }, "InvalidRequest"],
  ])("is accepted only if it is correct: %s", async (Key, creation, announced, code) => {
    const { UploadId = "" } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...creation }));
    const { ETag } = await s3.send(
      new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: "one", ...creation }),
    );
    const request = { Key, UploadId, Parts: [{ PartNumber: 1, ETag }] };
    const outcome = await complete(request, announced).catch((error: Error) => error);
    expect(outcome instanceof Error ? outcome.name : null).toBe(code);
  });
});
