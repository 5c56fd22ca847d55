/** Tags of objects and buckets as the AWS SDK for JavaScript and the MinIO client see them. */
import * as aws from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { Client } from "minio";
import { describe, expect, test } from "vitest";
import { testKeys } from "../testing/start-edge.ts";
import { useAwsClient, useEdge } from "../testing/use-edge.ts";

const Bucket = "tagged";
const Body = "hello";
const tag = (Key: string, Value: string) => ({ Key, Value });
const edge = await useEdge();
const s3 = useAwsClient(edge);
await s3.send(new aws.CreateBucketCommand({ Bucket }));

async function tagsOf(Key: string): Promise<aws.Tag[] | undefined> {
  return (await s3.send(new aws.GetObjectTaggingCommand({ Bucket, Key }))).TagSet;
}

async function codeOf(sent: Promise<unknown>): Promise<string> {
  return await sent.then(
    () => "answered",
    (error: Error) => error.name,
  );
}

describe("tags of an object", () => {
  test("are stored with its upload, and counted by GET and HEAD", async () => {
    const Key = "put";
    await s3.send(new aws.PutObjectCommand({ Bucket, Key, Body, Tagging: "team=a%20b&stage=" }));
    expect(await tagsOf(Key)).toEqual([tag("team", "a b"), tag("stage", "")]);
    expect((await s3.send(new aws.HeadObjectCommand({ Bucket, Key }))).$metadata.httpStatusCode).toBe(200);
    expect((await s3.send(new aws.GetObjectCommand({ Bucket, Key }))).TagCount).toBe(2);
    await s3.send(new aws.PutObjectCommand({ Bucket, Key, Body, Tagging: "" }));
    expect(await tagsOf(Key)).toEqual([]);
    expect((await s3.send(new aws.GetObjectCommand({ Bucket, Key }))).TagCount).toBeUndefined();
  });

  test("are replaced and removed without a change of ETag, time or content", async () => {
    const Key = "changed";
    await s3.send(new aws.PutObjectCommand({ Bucket, Key, Body, Metadata: { colour: "blue" } }));
    const before = await s3.send(new aws.HeadObjectCommand({ Bucket, Key }));
    for (const TagSet of [[tag("a", "1"), tag("b", "2")], [tag("c", "=&".replace("&", "/"))]]) {
      await s3.send(new aws.PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet } }));
      expect(await tagsOf(Key)).toEqual(TagSet);
    }
    const { ETag, LastModified, Metadata } = await s3.send(new aws.HeadObjectCommand({ Bucket, Key }));
    expect({ ETag, LastModified, Metadata }).toEqual({
      ETag: before.ETag,
      LastModified: before.LastModified,
      Metadata: { colour: "blue" },
    });
    const deleted = await s3.send(new aws.DeleteObjectTaggingCommand({ Bucket, Key }));
    expect([deleted.$metadata.httpStatusCode, await tagsOf(Key)]).toEqual([204, []]);
  });

  test("are copied, replaced or dropped according to the copy's directive", async () => {
    await s3.send(new aws.PutObjectCommand({ Bucket, Key: "source", Body, Tagging: "a=1" }));
    const copy = (Key: string, more: Partial<aws.CopyObjectCommandInput>) =>
      s3.send(new aws.CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/source`, ...more }));
    await copy("copied", {});
    await copy("with other metadata", { MetadataDirective: "REPLACE", ContentType: "text/x" });
    await copy("replaced", { TaggingDirective: "REPLACE", Tagging: "b=2" });
    await copy("dropped", { TaggingDirective: "REPLACE" });
    await copy("ignored", { Tagging: "b=2" });
    const found = ["copied", "with other metadata", "replaced", "dropped", "ignored"].map(tagsOf);
    expect(await Promise.all(found)).toEqual([
      [tag("a", "1")],
      [tag("a", "1")],
      [tag("b", "2")],
      [],
      [tag("a", "1")],
    ]);
    const wrong = copy("wrong", { TaggingDirective: "MOVE" as "COPY" });
    expect(await codeOf(wrong)).toBe("InvalidArgument");
  });

  test("of a multipart upload are those sent when it was created", async () => {
    const name = { Bucket, Key: "parts" };
    const { UploadId } = await s3.send(new aws.CreateMultipartUploadCommand({ ...name, Tagging: "a=1" }));
    const part = await s3.send(new aws.UploadPartCommand({ ...name, UploadId, PartNumber: 1, Body }));
    const Parts = [{ PartNumber: 1, ETag: part.ETag }];
    await s3.send(new aws.CompleteMultipartUploadCommand({ ...name, UploadId, MultipartUpload: { Parts } }));
    expect(await tagsOf("parts")).toEqual([tag("a", "1")]);
  });

  test("can be part of a presigned address whose signature covers them", async () => {
    const put = new aws.PutObjectCommand({ Bucket, Key: "presigned", Tagging: "a=1" });
    const url = await getSignedUrl(s3, put);
    expect(new URL(url).searchParams.get("x-amz-tagging")).toBe("a=1");
    expect((await fetch(url, { method: "PUT", body: Body })).status).toBe(200);
    expect(await tagsOf("presigned")).toEqual([tag("a", "1")]);
    expect((await fetch(url.replace("a%3D1", "a%3D2"), { method: "PUT", body: Body })).status).toBe(403);
  });

  test("that AWS refuses change nothing", async () => {
    const Key = "refused";
    await s3.send(new aws.PutObjectCommand({ Bucket, Key, Body, Tagging: "a=1" }));
    const eleven = Array.from({ length: 11 }, (_, at) => tag(`k${at}`, ""));
    const set = (TagSet: aws.Tag[], name = Key) =>
      codeOf(s3.send(new aws.PutObjectTaggingCommand({ Bucket, Key: name, Tagging: { TagSet } })));
    const put = (Tagging: string) =>
      codeOf(s3.send(new aws.PutObjectCommand({ Bucket, Key, Body: "other", Tagging })));
    expect([
      await set(eleven),
      await set([tag("a", "\u{1f600}")]),
      await set([tag("a", "1"), tag("a", "2")]),
      await set([tag("aws:a", "1")]),
      await set([tag("a", "1")], "none"),
      await put(eleven.map(({ Key: key }) => `${key}=`).join("&")),
      await put("a=%F0%9F%98%80"),
      await put("a=1&a=2"),
    ]).toEqual([
      "BadRequest",
      "InvalidTag",
      "InvalidTag",
      "InvalidTag",
      "NoSuchKey",
      "BadRequest",
      "InvalidTag",
      "InvalidArgument",
    ]);
    expect(await tagsOf(Key)).toEqual([tag("a", "1")]);
    expect(edge.store.find({ bucket: Bucket, key: Key })?.bytes.toString()).toBe(Body);
  });
});

test("tags of a bucket are read back until they are removed or replaced by an empty set", async () => {
  const read = () => s3.send(new aws.GetBucketTaggingCommand({ Bucket }));
  const write = (TagSet: aws.Tag[]) =>
    s3.send(new aws.PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }));
  const fifty = Array.from({ length: 50 }, (_, at) => tag(`k${at}`, "v"));
  expect(await codeOf(read())).toBe("NoSuchTagSet");
  await write(fifty);
  expect((await read()).TagSet).toEqual(fifty);
  expect(await codeOf(write([...fifty, tag("one", "more")]))).toBe("BadRequest");
  expect((await read()).TagSet).toEqual(fifty);
  await s3.send(new aws.DeleteBucketTaggingCommand({ Bucket }));
  expect(await codeOf(read())).toBe("NoSuchTagSet");
  await write([tag("a", "b")]);
  await write([]);
  expect(await codeOf(read())).toBe("NoSuchTagSet");
});

test("the MinIO client writes and reads tags of objects and buckets", async () => {
  const minio = new Client({
    endPoint: "127.0.0.1",
    port: edge.port,
    useSSL: false,
    accessKey: testKeys.writer.id,
    secretKey: testKeys.writer.secret,
  });
  await minio.putObject(Bucket, "minio", Body);
  await minio.setObjectTagging(Bucket, "minio", { team: "a b", ü: "=/" });
  expect(await minio.getObjectTagging(Bucket, "minio")).toEqual([tag("team", "a b"), tag("ü", "=/")]);
  await minio.removeObjectTagging(Bucket, "minio", { versionId: "null" });
  expect(await tagsOf("minio")).toEqual([]);
  await minio.setBucketTagging(Bucket, { owner: "me" });
  expect(await minio.getBucketTagging(Bucket)).toEqual([tag("owner", "me")]);
  await minio.removeBucketTagging(Bucket);
});
