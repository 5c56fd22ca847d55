/** Tests with the AWS SDK for JavaScript as users run it, with its default checksums. */
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import {
  CopyObjectCommand,
  CreateBucketCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { expect, test } from "vitest";
import { useAwsClient, useEdge } from "../testing/use-edge.ts";

const edge = await useEdge();
const s3 = useAwsClient(edge);
await s3.send(new CreateBucketCommand({ Bucket: "photos" }));

async function bytesOf(body: { transformToByteArray(): Promise<Uint8Array> } | undefined): Promise<Buffer> {
  return Buffer.from((await body?.transformToByteArray()) ?? []);
}

test.each([0, 1, 65_536, 262_144, 1_048_576, 1_048_577, 9_000_000])(
  "an object of %i bytes comes back unchanged",
  async (sizeBytes) => {
    const Body = randomBytes(sizeBytes);
    const name = { Bucket: "photos", Key: `sizes/${sizeBytes}` };
    const put = await s3.send(new PutObjectCommand({ ...name, Body }));
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(Body));
    expect(put.ChecksumCRC32).toBe(crc.toString("base64"));
    const got = await s3.send(new GetObjectCommand(name));
    expect((await bytesOf(got.Body)).equals(Body)).toBe(true);
    expect(got).toMatchObject({
      ETag: put.ETag,
      ContentLength: sizeBytes,
      ContentType: "application/octet-stream",
    });
    expect(got.ChecksumCRC32).toBe(put.ChecksumCRC32);
  },
);

test("a stream with a content length is stored as it was sent", async () => {
  const bytes = randomBytes(3_000_000);
  const pieces = [bytes.subarray(0, 10), bytes.subarray(10, 1_000_000), bytes.subarray(1_000_000)];
  const name = { Bucket: "photos", Key: "stream" };
  await s3.send(new PutObjectCommand({ ...name, Body: Readable.from(pieces), ContentLength: bytes.length }));
  expect(edge.store.find({ bucket: "photos", key: "stream" })?.bytes.equals(bytes)).toBe(true);
});

/** Checksums of "123456789" from the definitions of the algorithms. */
test.each([
  ["CRC32", "cbf43926"],
  ["CRC32C", "e3069283"],
  ["CRC64NVME", "ae8b14860a799888"],
  ["SHA1", "f7c3bc1d808e04732adf679965ccc34ca7ae3441"],
  ["SHA256", "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"],
] as const)("the %s checksum is computed, stored and returned", async (ChecksumAlgorithm, digits) => {
  const name = { Bucket: "photos", Key: `checksum/${ChecksumAlgorithm}` };
  const field = `Checksum${ChecksumAlgorithm}` as const;
  const put = await s3.send(new PutObjectCommand({ ...name, Body: "123456789", ChecksumAlgorithm }));
  const head = await s3.send(new HeadObjectCommand({ ...name, ChecksumMode: "ENABLED" }));
  expect(put[field]).toBe(Buffer.from(digits, "hex").toString("base64"));
  expect(head).toMatchObject({ [field]: put[field], ChecksumType: "FULL_OBJECT" });
  const silent = await s3.send(new HeadObjectCommand(name));
  expect(silent[field]).toBeUndefined();
});

/** The SDK sends these values as given. */
test.each([
  ["MD5", "25f9e794323b453885f5181f1b624d0b"],
  [
    "SHA512",
    "d9e6762dd1c8eaf6d61b3c6192fc408d4d6d5f1176d0c29169bc24e71c3f274ad27fcd5811b313d681f7e55ec02d73d499c95455b6b5bb503acf574fba8ffe85",
  ],
  ["XXHASH3", "72dcb18b67a17dff"],
  ["XXHASH64", "8cb841db40e6ae83"],
  ["XXHASH128", "33119477ede5dcd5e9716427681d5860"],
] as const)("the given %s checksum is compared, stored and returned", async (algorithm, digits) => {
  const name = { Bucket: "photos", Key: `checksum/${algorithm}` };
  const field = `Checksum${algorithm}` as const;
  const value = Buffer.from(digits, "hex").toString("base64");
  const put = await s3.send(new PutObjectCommand({ ...name, Body: "123456789", [field]: value }));
  // The SDK compares none of these with the download, and fails instead.
  const address = await getSignedUrl(s3, new GetObjectCommand({ ...name, ChecksumMode: "ENABLED" }));
  const get = await fetch(address);
  const head = await s3.send(new HeadObjectCommand({ ...name, ChecksumMode: "ENABLED" }));
  const asked = { ...name, ObjectAttributes: ["Checksum" as const] };
  const { Checksum } = await s3.send(new GetObjectAttributesCommand(asked));
  const got = get.headers.get(`x-amz-checksum-${algorithm.toLowerCase()}`);
  expect([put[field], got, head[field], Checksum?.[field]]).toEqual(Array(4).fill(value));
  expect(head.ChecksumType).toBe("FULL_OBJECT");
  const copied = { ...name, Key: `${name.Key} copied`, CopySource: `photos/${name.Key}` };
  expect((await s3.send(new CopyObjectCommand(copied))).CopyObjectResult?.[field]).toBe(value);
  const other = s3.send(new PutObjectCommand({ ...name, Body: "12345678", [field]: value }));
  await expect(other).rejects.toMatchObject({ name: "BadDigest" });
  const malformed = s3.send(new PutObjectCommand({ ...name, Body: "1", [field]: "AAAA" }));
  await expect(malformed).rejects.toMatchObject({ name: "InvalidRequest" });
});

test("metadata and content headers come back with the object", async () => {
  const name = { Bucket: "photos", Key: "headers" };
  const attributes = {
    ContentType: "text/plain; charset=utf-8",
    CacheControl: "max-age=60",
    ContentDisposition: 'attachment; filename="a b.txt"',
    ContentEncoding: "gzip",
    ContentLanguage: "en, de",
    Expires: new Date("2030-01-01T00:00:00Z"),
    Metadata: { camera: "X  100", note: "two words" },
  };
  await s3.send(new PutObjectCommand({ ...name, Body: "x", ...attributes }));
  const got = await s3.send(new HeadObjectCommand(name));
  expect(got).toMatchObject({ ...attributes, Expires: attributes.Expires });
});

test.each([
  ["bytes=0-3", "0123", "bytes 0-3/10"],
  ["bytes=7-", "789", "bytes 7-9/10"],
  ["bytes=-2", "89", "bytes 8-9/10"],
  ["bytes=8-100", "89", "bytes 8-9/10"],
])("the range %s is answered %s", async (Range, text, contentRange) => {
  const name = { Bucket: "photos", Key: "range" };
  await s3.send(new PutObjectCommand({ ...name, Body: "0123456789" }));
  const got = await s3.send(new GetObjectCommand({ ...name, Range }));
  expect(await got.Body?.transformToString()).toBe(text);
  expect(got.ContentRange).toBe(contentRange);
});

test.each(["bytes=10-", "bytes=-0"])("the range %s of an object of ten bytes is refused", async (Range) => {
  const name = { Bucket: "photos", Key: "range" };
  await s3.send(new PutObjectCommand({ ...name, Body: "0123456789" }));
  await expect(s3.send(new GetObjectCommand({ ...name, Range }))).rejects.toMatchObject({
    name: "InvalidRange",
    $metadata: { httpStatusCode: 416 },
  });
});

test("conditions on reads are respected", async () => {
  const name = { Bucket: "photos", Key: "conditions" };
  const { ETag } = await s3.send(new PutObjectCommand({ ...name, Body: "x" }));
  const past = new Date(Date.now() - 3_600_000);
  const statusOf = async (conditions: object) => {
    const outcome = await s3.send(new GetObjectCommand({ ...name, ...conditions })).catch((error) => error);
    return outcome.$metadata.httpStatusCode;
  };
  expect(await statusOf({ IfMatch: ETag })).toBe(200);
  expect(await statusOf({ IfMatch: '"other"' })).toBe(412);
  expect(await statusOf({ IfNoneMatch: ETag })).toBe(304);
  expect(await statusOf({ IfNoneMatch: '"other"' })).toBe(200);
  expect(await statusOf({ IfModifiedSince: past })).toBe(200);
  expect(await statusOf({ IfModifiedSince: new Date() })).toBe(304);
  expect(await statusOf({ IfUnmodifiedSince: past })).toBe(412);
  expect(await statusOf({ IfMatch: ETag, IfUnmodifiedSince: past })).toBe(200);
  expect(await statusOf({ IfNoneMatch: '"other"', IfModifiedSince: new Date() })).toBe(200);
});

test("conditions on writes decide which write wins", async () => {
  const name = { Bucket: "photos", Key: "once" };
  const first = await s3.send(new PutObjectCommand({ ...name, Body: "1", IfNoneMatch: "*" }));
  await expect(s3.send(new PutObjectCommand({ ...name, Body: "2", IfNoneMatch: "*" }))).rejects.toMatchObject(
    {
      name: "PreconditionFailed",
    },
  );
  await s3.send(new PutObjectCommand({ ...name, Body: "3", IfMatch: first.ETag }));
  await expect(
    s3.send(new PutObjectCommand({ ...name, Body: "4", IfMatch: first.ETag })),
  ).rejects.toMatchObject({
    $metadata: { httpStatusCode: 412 },
  });
  expect(edge.store.find({ bucket: "photos", key: "once" })?.bytes.toString()).toBe("3");
});

test.each([
  ["a different ETag", true, '"other"', 200],
  ["a list of other ETags", true, '"other", "another"', 200],
  ["the same ETag", true, "ETag", 412],
  ["the same ETag without quotes", true, "bare", 412],
  ["a list with the same ETag", true, '"other", ETag', 412],
  ["any ETag", true, "*", 412],
  ["an ETag of a missing object", false, '"other"', 200],
])(
  "a write with If-None-Match: %s is refused only if an ETag matches",
  async (name, isThere, condition, status) => {
    const place = { Bucket: "photos", Key: `unless/${name}` };
    const { ETag = "" } = isThere ? await s3.send(new PutObjectCommand({ ...place, Body: "old" })) : {};
    const IfNoneMatch = condition.replace("ETag", ETag).replace("bare", ETag.replaceAll('"', ""));
    const put = new PutObjectCommand({ ...place, Body: "newer", IfNoneMatch });
    const outcome = await s3.send(put).catch((error) => error);
    expect(outcome.$metadata.httpStatusCode).toBe(status);
    const stored = edge.store.find({ bucket: place.Bucket, key: place.Key });
    expect(stored?.bytes.toString()).toBe(status === 200 ? "newer" : "old");
  },
);

test.each([
  ["deflate, gzip", "deflate, gzip"],
  ["deflate,gzip", "deflate,gzip"],
  ["deflate ,  gzip", "deflate ,  gzip"],
  ["aws-chunked, deflate, gzip", "deflate, gzip"],
  ["deflate, aws-chunked, gzip", "deflate, gzip"],
  ["deflate, gzip,AWS-Chunked", "deflate, gzip"],
  ["aws-chunked", undefined],
])("the content encoding %j comes back as %j", async (ContentEncoding, expected) => {
  const name = { Bucket: "photos", Key: "encoded" };
  await s3.send(new PutObjectCommand({ ...name, Body: "x", ContentEncoding }));
  expect((await s3.send(new HeadObjectCommand(name))).ContentEncoding).toBe(expected);
});

test("an object is copied with its metadata, or with new metadata", async () => {
  const Bucket = "photos";
  const Body = randomBytes(2_000_000);
  await s3.send(
    new PutObjectCommand({ Bucket, Key: "source ü+", Body, Metadata: { a: "1" }, ContentType: "image/png" }),
  );
  const CopySource = `/photos/${encodeURIComponent("source ü+")}`;
  const copy = await s3.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource }));
  const stored = edge.store.find({ bucket: Bucket, key: "copy" });
  expect(copy.CopyObjectResult?.ETag).toBe(`"${createHash("md5").update(Body).digest("hex")}"`);
  expect(stored?.bytes.equals(Body)).toBe(true);
  expect(stored?.attributes).toMatchObject({ contentType: "image/png", userMetadata: { a: "1" } });
  await s3.send(
    new CopyObjectCommand({
      Bucket,
      Key: "copy",
      CopySource,
      MetadataDirective: "REPLACE",
      Metadata: { b: "2" },
    }),
  );
  expect(edge.store.find({ bucket: Bucket, key: "copy" })?.attributes.userMetadata).toEqual({ b: "2" });
  await expect(
    s3.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource, CopySourceIfMatch: '"x"' })),
  ).rejects.toMatchObject({ name: "PreconditionFailed" });
  await expect(
    s3.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource: "/photos/none" })),
  ).rejects.toMatchObject({ name: "NoSuchKey" });
});
