/** Tests ListObjectVersions, used by clients that do not know whether a bucket has versions. */
import {
  CreateBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutBucketAclCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { beforeAll, expect, test } from "vitest";
import { useAwsClient, useEdge } from "../testing/use-edge.ts";

const Bucket = "versions";
const folders = ["a/", "b/", "ü +/"];
const keys = ["0", ...folders.flatMap((folder) => ["1", "2", "3"].map((name) => folder + name)), "z&<"];
const edge = await useEdge();
const s3 = useAwsClient(edge);

beforeAll(async () => {
  await s3.send(new CreateBucketCommand({ Bucket }));
  for (const Key of keys) await s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
});

const ordered = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

test("every object has one version, the latest, with the id null", async () => {
  await s3.send(new PutObjectCommand({ Bucket, Key: "0", Body: "overwritten" }));
  const { Versions, DeleteMarkers, IsTruncated, Name } = await s3.send(
    new ListObjectVersionsCommand({ Bucket }),
  );
  expect({ Name, IsTruncated, DeleteMarkers }).toEqual({
    Name: Bucket,
    IsTruncated: false,
    DeleteMarkers: undefined,
  });
  expect(Versions?.map(({ Key }) => Key)).toEqual(ordered);
  for (const version of Versions ?? []) {
    const { ETag } = await s3.send(
      new GetObjectCommand({ Bucket, Key: version.Key, VersionId: version.VersionId }),
    );
    expect(version).toMatchObject({ VersionId: "null", IsLatest: true, StorageClass: "STANDARD", ETag });
    expect([version.LastModified instanceof Date, version.Owner?.ID]).toEqual([true, "stashlight"]);
  }
  expect(Versions?.[0]?.Size).toBe("overwritten".length);
});

test.each([undefined, "url"] as const)(
  "pages with a delimiter have no gaps between them, encoding %s",
  async (EncodingType) => {
    const found: string[] = [];
    let markers: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {};
    for (let isMore = true; isMore; ) {
      const wish = { Bucket, Delimiter: "/", EncodingType, MaxKeys: 2, ...markers };
      const page = await s3.send(new ListObjectVersionsCommand(wish));
      const prefixes = page.CommonPrefixes?.map(({ Prefix = "" }) => Prefix) ?? [];
      found.push(...(page.Versions?.map(({ Key = "" }) => Key) ?? []), ...prefixes);
      expect(page.EncodingType).toBe(EncodingType);
      isMore = page.IsTruncated === true;
      const next = page.NextKeyMarker;
      const KeyMarker = EncodingType === undefined || next === undefined ? next : decodeURIComponent(next);
      markers = { KeyMarker, VersionIdMarker: page.NextVersionIdMarker };
    }
    const names = EncodingType === undefined ? found : found.map(decodeURIComponent);
    expect(names.sort()).toEqual(["0", "a/", "b/", "z&<", "ü +/"]);
  },
);

test("a page of single objects ends with the markers of its last key and version", async () => {
  const first = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix: "b/", MaxKeys: 2 }));
  expect(first).toMatchObject({
    IsTruncated: true,
    NextKeyMarker: "b/2",
    NextVersionIdMarker: "null",
    MaxKeys: 2,
  });
  for (const VersionIdMarker of [undefined, "null"]) {
    const markers = { KeyMarker: "b/2", VersionIdMarker };
    const rest = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix: "b/", ...markers }));
    expect(rest.Versions?.map(({ Key }) => Key)).toEqual(["b/3"]);
    expect(rest).toMatchObject({ IsTruncated: false, KeyMarker: "b/2" });
  }
});

test.each([
  [{ VersionIdMarker: "null" }, "InvalidArgument"],
  [{ KeyMarker: "a/1", VersionIdMarker: "other" }, "InvalidArgument"],
  [{ Bucket: "nowhere" }, "NoSuchBucket"],
  [{ EncodingType: "rot13" as "url" }, "InvalidArgument"],
])("a list with %j is refused as %s", async (change, name) => {
  await expect(s3.send(new ListObjectVersionsCommand({ Bucket, ...change }))).rejects.toMatchObject({ name });
});

test("a listed object can be deleted by its version", async () => {
  const name = { Bucket: "emptied" };
  await s3.send(new CreateBucketCommand(name));
  for (const Key of ["1", "2"]) await s3.send(new PutObjectCommand({ ...name, Key, Body: "x" }));
  const { Versions = [] } = await s3.send(new ListObjectVersionsCommand(name));
  const Objects = Versions.map(({ Key, VersionId }) => ({ Key, VersionId }));
  const { Deleted } = await s3.send(new DeleteObjectsCommand({ ...name, Delete: { Objects } }));
  expect(Deleted).toHaveLength(2);
  expect((await s3.send(new ListObjectVersionsCommand(name))).Versions).toBeUndefined();
});

test("versioning and access lists are refused as not implemented, and the message explains why", async () => {
  const said = async (sent: Promise<unknown>) => sent.catch((error) => [error.name, error.message]);
  const VersioningConfiguration = { Status: "Enabled" } as const;
  for (const send of [
    () => s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration })),
    () => s3.send(new GetObjectCommand({ Bucket, Key: "0", VersionId: "1" })),
  ]) {
    expect(await said(send())).toEqual([
      "NotImplemented",
      expect.stringMatching(/keeps one version of each object/),
    ]);
  }
  for (const send of [
    () => s3.send(new PutBucketAclCommand({ Bucket, ACL: "public-read" })),
    () => s3.send(new PutObjectCommand({ Bucket, Key: "k", Body: "", ACL: "public-read" })),
  ]) {
    expect(await said(send())).toEqual(["NotImplemented", expect.stringMatching(/private to its owner/)]);
  }
});
