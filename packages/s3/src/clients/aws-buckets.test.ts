/** Buckets, lists, deletions, permissions and errors as the AWS SDK for JavaScript sees them. */
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { awsClientOf } from "../testing/aws-client.ts";
import { testKeys } from "../testing/start-edge.ts";
import { useAwsClient, useEdge } from "../testing/use-edge.ts";

const edge = await useEdge();
const s3 = useAwsClient(edge);
await s3.send(new CreateBucketCommand({ Bucket: "photos" }));

test("buckets are created, listed and removed", async () => {
  await s3.send(new CreateBucketCommand({ Bucket: "short-lived" }));
  const { Buckets } = await s3.send(new ListBucketsCommand({}));
  expect(Buckets?.map(({ Name }) => Name)).toContain("short-lived");
  await s3.send(new HeadBucketCommand({ Bucket: "short-lived" }));
  const location = await s3.send(new GetBucketLocationCommand({ Bucket: "short-lived" }));
  expect(location.LocationConstraint ?? "").toBe("");
  // The name is free again, as on AWS in this region.
  await s3.send(new CreateBucketCommand({ Bucket: "short-lived" }));
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

test("keys with any characters are listed by both versions of ListObjects, page by page", async () => {
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
    expect(page.StartAfter).toBeUndefined();
    folders.push(...(page.CommonPrefixes ?? []).map(({ Prefix }) => decodeURIComponent(Prefix as string)));
    ContinuationToken = page.NextContinuationToken;
    if (!page.IsTruncated) break;
  }
  expect(folders).toEqual(["./", "a/", "c/", "dir/", "ü/"]);

  const below = await s3.send(
    new ListObjectsV2Command({ Bucket, Prefix: "a/", Delimiter: "/", StartAfter: "a/1" }),
  );
  expect(below.StartAfter).toBe("a/1");
  expect(below.Contents?.map(({ Key }) => Key)).toEqual(["a/2"]);
  expect(below.CommonPrefixes?.map(({ Prefix }) => Prefix)).toEqual(["a/b/"]);
  for (const Key of keys) {
    const got = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect(await got.Body?.transformToString()).toBe(Key);
  }
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
  const encrypted = new PutObjectCommand({
    Bucket: "photos",
    Key: "k",
    Body: "",
    ServerSideEncryption: "aws:kms",
  });
  expect(await s3.send(encrypted).catch((error) => error.name)).toBe("NotImplemented");
});

test("an access key can do what its permission allows and no more", async () => {
  const reader = awsClientOf(edge, testKeys.reader);
  const limited = awsClientOf(edge, testKeys.limited);
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
    const stranger = awsClientOf(edge, key);
    const { name, message, $metadata } = await stranger
      .send(new ListBucketsCommand({}))
      .catch((error) => error);
    answers.push({ name, message, status: $metadata.httpStatusCode });
    stranger.destroy();
  }
  expect(answers[0]).toMatchObject({ name: "SignatureDoesNotMatch", status: 403 });
  expect(answers[1]).toEqual(answers[0]);
});
