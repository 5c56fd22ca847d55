/** The AWS SDK for JavaScript as users run it, with its default checksums. */
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketAclCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEdge, type TestEdge, testKeys } from "../testing/start-edge.ts";

let edge: TestEdge;
let s3: S3Client;

function clientOf(key: { id: string; secret: string }): S3Client {
  return new S3Client({
    endpoint: edge.url,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
  });
}

beforeAll(async () => {
  edge = await startEdge();
  s3 = clientOf(testKeys.writer);
  await s3.send(new CreateBucketCommand({ Bucket: "photos" }));
});

afterAll(async () => {
  s3.destroy();
  await edge.close();
});

async function bytesOf(body: { transformToByteArray(): Promise<Uint8Array> } | undefined): Promise<Buffer> {
  return Buffer.from((await body?.transformToByteArray()) ?? []);
}

test.each([0, 1, 65_536, 262_144, 1_048_576, 1_048_577, 9_000_000])(
  "an object of %i bytes comes back as it was put",
  async (sizeBytes) => {
    const Body = randomBytes(sizeBytes);
    const name = { Bucket: "photos", Key: `sizes/${sizeBytes}` };
    const put = await s3.send(new PutObjectCommand({ ...name, Body }));
    expect(put.ChecksumCRC32).toBeTruthy();
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

test("a stream of unknown origin is stored as it was sent", async () => {
  const bytes = randomBytes(3_000_000);
  const pieces = [bytes.subarray(0, 10), bytes.subarray(10, 1_000_000), bytes.subarray(1_000_000)];
  const name = { Bucket: "photos", Key: "stream" };
  await s3.send(new PutObjectCommand({ ...name, Body: Readable.from(pieces), ContentLength: bytes.length }));
  expect(edge.store.find({ bucket: "photos", key: "stream" })?.bytes.equals(bytes)).toBe(true);
});

test.each(["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"] as const)(
  "%s is checked, kept and told again",
  async (ChecksumAlgorithm) => {
    const name = { Bucket: "photos", Key: `checksum/${ChecksumAlgorithm}` };
    const field = `Checksum${ChecksumAlgorithm}` as const;
    const put = await s3.send(new PutObjectCommand({ ...name, Body: "123456789", ChecksumAlgorithm }));
    const head = await s3.send(new HeadObjectCommand({ ...name, ChecksumMode: "ENABLED" }));
    expect(put[field]).toBeTruthy();
    expect(head).toMatchObject({ [field]: put[field], ChecksumType: "FULL_OBJECT" });
    const silent = await s3.send(new HeadObjectCommand(name));
    expect(silent[field]).toBeUndefined();
  },
);

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
])("the range %s is %s", async (Range, text, contentRange) => {
  const name = { Bucket: "photos", Key: "range" };
  await s3.send(new PutObjectCommand({ ...name, Body: "0123456789" }));
  const got = await s3.send(new GetObjectCommand({ ...name, Range }));
  expect(await got.Body?.transformToString()).toBe(text);
  expect(got.ContentRange).toBe(contentRange);
});

test.each(["bytes=10-", "bytes=-0"])("the range %s lies outside ten bytes", async (Range) => {
  const name = { Bucket: "photos", Key: "range" };
  await s3.send(new PutObjectCommand({ ...name, Body: "0123456789" }));
  await expect(s3.send(new GetObjectCommand({ ...name, Range }))).rejects.toMatchObject({
    name: "InvalidRange",
    $metadata: { httpStatusCode: 416 },
  });
});

test("conditions on reads are kept", async () => {
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

test("conditions on writes decide who wins", async () => {
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

test("buckets are made, told of and removed", async () => {
  await s3.send(new CreateBucketCommand({ Bucket: "short-lived" }));
  const { Buckets } = await s3.send(new ListBucketsCommand({}));
  expect(Buckets?.map(({ Name }) => Name)).toContain("short-lived");
  await s3.send(new HeadBucketCommand({ Bucket: "short-lived" }));
  const location = await s3.send(new GetBucketLocationCommand({ Bucket: "short-lived" }));
  expect(location.LocationConstraint ?? "").toBe("");
  await expect(s3.send(new CreateBucketCommand({ Bucket: "short-lived" }))).rejects.toMatchObject({
    name: "BucketAlreadyOwnedByYou",
  });
  await s3.send(new PutObjectCommand({ Bucket: "short-lived", Key: "k", Body: "x" }));
  await expect(s3.send(new DeleteBucketCommand({ Bucket: "short-lived" }))).rejects.toMatchObject({
    name: "BucketNotEmpty",
  });
  await s3.send(new DeleteObjectCommand({ Bucket: "short-lived", Key: "k" }));
  await s3.send(new DeleteBucketCommand({ Bucket: "short-lived" }));
  await expect(s3.send(new HeadBucketCommand({ Bucket: "short-lived" }))).rejects.toMatchObject({
    $metadata: { httpStatusCode: 404 },
  });
});

test("keys of all kinds are listed by both versions, page by page", async () => {
  const Bucket = "lists";
  await s3.send(new CreateBucketCommand({ Bucket }));
  const keys = [
    "a b",
    "a+b",
    "a/1",
    "a/2",
    "a/b/3",
    "b",
    "c/1",
    "dir/",
    "ü/€",
    "z&<>\"'",
    "😀",
    "%41",
    "a//b",
    "./x",
  ];
  for (const Key of keys) await s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  const sorted = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

  const v2: string[] = [];
  for (let ContinuationToken: string | undefined; ; ) {
    const page = await s3.send(new ListObjectsV2Command({ Bucket, MaxKeys: 3, ContinuationToken }));
    v2.push(...(page.Contents ?? []).map(({ Key }) => Key as string));
    ContinuationToken = page.NextContinuationToken;
    if (!page.IsTruncated) break;
  }
  expect(v2).toEqual(sorted);

  const v1: string[] = [];
  for (let Marker = ""; ; ) {
    const page = await s3.send(new ListObjectsCommand({ Bucket, MaxKeys: 2, Marker }));
    v1.push(...(page.Contents ?? []).map(({ Key }) => Key as string));
    Marker = page.NextMarker ?? v1.at(-1) ?? "";
    if (!page.IsTruncated) break;
  }
  expect(v1).toEqual(sorted);

  const folders: string[] = [];
  for (let ContinuationToken: string | undefined; ; ) {
    const page = await s3.send(
      new ListObjectsV2Command({
        Bucket,
        Delimiter: "/",
        MaxKeys: 1,
        ContinuationToken,
        EncodingType: "url",
      }),
    );
    expect(page.KeyCount).toBe(1);
    folders.push(...(page.CommonPrefixes ?? []).map(({ Prefix }) => decodeURIComponent(Prefix as string)));
    ContinuationToken = page.NextContinuationToken;
    if (!page.IsTruncated) break;
  }
  expect(folders).toEqual(["./", "a/", "c/", "dir/", "ü/"]);

  const below = await s3.send(
    new ListObjectsV2Command({ Bucket, Prefix: "a/", Delimiter: "/", StartAfter: "a/1" }),
  );
  expect(below.Contents?.map(({ Key }) => Key)).toEqual(["a/2"]);
  expect(below.CommonPrefixes?.map(({ Prefix }) => Prefix)).toEqual(["a/b/"]);
  for (const Key of keys) {
    const got = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect(await got.Body?.transformToString()).toBe(Key);
  }
});

test("an object is copied with its metadata, or with new ones", async () => {
  const Bucket = "photos";
  const Body = randomBytes(2_000_000);
  await s3.send(
    new PutObjectCommand({ Bucket, Key: "source ü+", Body, Metadata: { a: "1" }, ContentType: "image/png" }),
  );
  const CopySource = `/photos/${encodeURIComponent("source ü+")}`;
  const copy = await s3.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource }));
  expect(copy.CopyObjectResult?.ETag).toBeTruthy();
  const stored = edge.store.find({ bucket: Bucket, key: "copy" });
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

test("many objects are deleted at once", async () => {
  const Bucket = "photos";
  const keys = Array.from({ length: 40 }, (_, i) => `many/${i} & more\r`);
  for (const Key of keys) await s3.send(new PutObjectCommand({ Bucket, Key, Body: "x" }));
  const Objects = [...keys, "many/none"].map((Key) => ({ Key }));
  const result = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(result.Deleted?.map(({ Key }) => Key).sort()).toEqual([...keys, "many/none"].sort());
  const left = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: "many/" }));
  expect(left.KeyCount).toBe(0);
});

test("errors carry code, status and request id", async () => {
  const missing = await s3
    .send(new GetObjectCommand({ Bucket: "photos", Key: "none" }))
    .catch((error) => error);
  expect(missing).toMatchObject({ name: "NoSuchKey", $metadata: { httpStatusCode: 404 } });
  expect(missing.$metadata.requestId).toMatch(/^TEST/);
  const head = await s3
    .send(new HeadObjectCommand({ Bucket: "photos", Key: "none" }))
    .catch((error) => error);
  expect(head.$metadata.httpStatusCode).toBe(404);
  const bucket = await s3
    .send(new GetObjectCommand({ Bucket: "nobucket", Key: "k" }))
    .catch((error) => error);
  expect(bucket.name).toBe("NoSuchBucket");
  const acl = await s3.send(new GetBucketAclCommand({ Bucket: "photos" })).catch((error) => error);
  expect(acl).toMatchObject({ name: "NotImplemented", $metadata: { httpStatusCode: 501 } });
  const encrypted = new PutObjectCommand({
    Bucket: "photos",
    Key: "k",
    Body: "",
    ServerSideEncryption: "AES256",
  });
  expect(await s3.send(encrypted).catch((error) => error.name)).toBe("NotImplemented");
});

test("an access key does what it may and no more", async () => {
  const reader = clientOf(testKeys.reader);
  const limited = clientOf(testKeys.limited);
  const put = new PutObjectCommand({ Bucket: "photos", Key: "k", Body: "x" });
  await s3.send(put);
  await reader.send(new GetObjectCommand({ Bucket: "photos", Key: "k" }));
  const denied = { name: "AccessDenied", $metadata: { httpStatusCode: 403 } };
  await expect(reader.send(put)).rejects.toMatchObject(denied);
  await expect(limited.send(put)).rejects.toMatchObject(denied);
  await expect(limited.send(new GetObjectCommand({ Bucket: "photos", Key: "k" }))).rejects.toMatchObject(
    denied,
  );
  await limited.send(new CreateBucketCommand({ Bucket: "mine" }));
  const copy = new CopyObjectCommand({ Bucket: "mine", Key: "stolen", CopySource: "/photos/k" });
  await expect(limited.send(copy)).rejects.toMatchObject(denied);
  const { Buckets } = await limited.send(new ListBucketsCommand({}));
  expect(Buckets?.map(({ Name }) => Name)).toEqual(["mine"]);
  reader.destroy();
  limited.destroy();
});

test("a wrong secret and an unknown key get the same answer", async () => {
  const answers = [];
  for (const key of [
    { ...testKeys.writer, secret: "wrong" },
    { id: "NOBODY", secret: "wrong" },
  ]) {
    const stranger = clientOf(key);
    const { name, message, $metadata } = await stranger
      .send(new ListBucketsCommand({}))
      .catch((error) => error);
    answers.push({ name, message, status: $metadata.httpStatusCode });
    stranger.destroy();
  }
  expect(answers[0]).toMatchObject({ name: "SignatureDoesNotMatch", status: 403 });
  expect(answers[1]).toEqual(answers[0]);
});
