/**
 * Every operation, requested with keys that may not perform it: of another owner, disabled, read-only, or limited to
 * other buckets.
 */

import type { S3Client } from "@aws-sdk/client-s3";
import * as aws from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OperationName } from "../operations/registry.ts";
import { awsClientOf } from "../testing/aws-client.ts";
import { testKeys } from "../testing/start-edge.ts";
import { useEdge } from "../testing/use-edge.ts";

const Bucket = "photos";
const Key = "k";
const name = { Bucket, Key };
const refused = { name: "AccessDenied", status: 403 } as const;
let UploadId: string;
const clients = new Map<string, S3Client>();

function clientOf(key: { id: string; secret: string }): S3Client {
  const known = clients.get(key.id);
  if (known !== undefined) return known;
  const client = awsClientOf(edge, key);
  clients.set(key.id, client);
  return client;
}
const edge = await useEdge();

beforeAll(async () => {
  const owner = clientOf(testKeys.writer);
  await owner.send(new aws.CreateBucketCommand({ Bucket }));
  await owner.send(new aws.PutObjectCommand({ ...name, Body: "theirs" }));
  UploadId = (await owner.send(new aws.CreateMultipartUploadCommand(name))).UploadId as string;
  await owner.send(new aws.UploadPartCommand({ ...name, UploadId, PartNumber: 1, Body: "theirs too" }));
  const stranger = clientOf(testKeys.stranger);
  await stranger.send(new aws.CreateBucketCommand({ Bucket: "others" }));
  await stranger.send(new aws.PutObjectCommand({ Bucket: "others", Key, Body: "their own" }));
});

afterAll(async () => {
  for (const client of clients.values()) client.destroy();
});

type Send = (s3: S3Client) => Promise<unknown>;

const parts = [{ PartNumber: 1, ETag: `"${"0".repeat(32)}"` }];
const copied = { ...name, CopySource: `/${Bucket}/${Key}` };

/** One entry for each operation, so that a new operation without an entry does not compile. */
const operations = {
  ListBuckets: [(s3) => s3.send(new aws.ListBucketsCommand({}))],
  CreateBucket: [(s3) => s3.send(new aws.CreateBucketCommand({ Bucket }))],
  DeleteBucket: [(s3) => s3.send(new aws.DeleteBucketCommand({ Bucket }))],
  DeleteObjects: [(s3) => s3.send(new aws.DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key }] } }))],
  GetBucketLocation: [(s3) => s3.send(new aws.GetBucketLocationCommand({ Bucket }))],
  HeadBucket: [(s3) => s3.send(new aws.HeadBucketCommand({ Bucket }))],
  ListMultipartUploads: [(s3) => s3.send(new aws.ListMultipartUploadsCommand({ Bucket }))],
  GetBucketConfiguration: [
    (s3) => s3.send(new aws.GetBucketAclCommand({ Bucket })),
    (s3) => s3.send(new aws.GetBucketTaggingCommand({ Bucket })),
  ],
  PutBucketConfiguration: [
    (s3) => s3.send(new aws.PutBucketAclCommand({ Bucket, ACL: "private" })),
    (s3) => s3.send(new aws.PutBucketPolicyCommand({ Bucket, Policy: "{}" })),
  ],
  DeleteBucketConfiguration: [(s3) => s3.send(new aws.DeleteBucketTaggingCommand({ Bucket }))],
  GetObjectAttributes: [
    (s3) => s3.send(new aws.GetObjectAttributesCommand({ ...name, ObjectAttributes: ["ETag"] })),
  ],
  GetObjectConfiguration: [
    (s3) => s3.send(new aws.GetObjectAclCommand(name)),
    (s3) => s3.send(new aws.GetObjectAclCommand({ Bucket, Key: "none" })),
  ],
  PutObjectConfiguration: [(s3) => s3.send(new aws.PutObjectAclCommand({ ...name, ACL: "private" }))],
  GetObjectTagging: [(s3) => s3.send(new aws.GetObjectTaggingCommand(name))],
  PutObjectTagging: [(s3) => s3.send(new aws.PutObjectTaggingCommand({ ...name, Tagging: { TagSet: [] } }))],
  DeleteObjectTagging: [(s3) => s3.send(new aws.DeleteObjectTaggingCommand(name))],
  ListObjects: [(s3) => s3.send(new aws.ListObjectsCommand({ Bucket }))],
  ListObjectVersions: [(s3) => s3.send(new aws.ListObjectVersionsCommand({ Bucket }))],
  ListObjectsV2: [
    (s3) => s3.send(new aws.ListObjectsV2Command({ Bucket })),
    (s3) => s3.send(new aws.ListObjectsV2Command({ Bucket, MaxKeys: 0 })),
  ],
  AbortMultipartUpload: [(s3) => s3.send(new aws.AbortMultipartUploadCommand({ ...name, UploadId }))],
  CompleteMultipartUpload: [
    (s3) => {
      const MultipartUpload = { Parts: parts };
      return s3.send(new aws.CompleteMultipartUploadCommand({ ...name, UploadId, MultipartUpload }));
    },
  ],
  CopyObject: [(s3) => s3.send(new aws.CopyObjectCommand(copied))],
  CreateMultipartUpload: [(s3) => s3.send(new aws.CreateMultipartUploadCommand(name))],
  DeleteObject: [
    (s3) => s3.send(new aws.DeleteObjectCommand(name)),
    (s3) => s3.send(new aws.DeleteObjectCommand({ Bucket, Key: "none" })),
  ],
  GetObject: [
    (s3) => s3.send(new aws.GetObjectCommand(name)),
    (s3) => s3.send(new aws.GetObjectCommand({ ...name, PartNumber: 1 })),
    (s3) => s3.send(new aws.GetObjectCommand({ Bucket, Key: "none" })),
  ],
  HeadObject: [
    (s3) => s3.send(new aws.HeadObjectCommand(name)),
    (s3) => s3.send(new aws.HeadObjectCommand({ Bucket, Key: "none" })),
  ],
  ListParts: [(s3) => s3.send(new aws.ListPartsCommand({ ...name, UploadId }))],
  PutObject: [
    (s3) => s3.send(new aws.PutObjectCommand({ ...name, Body: "mine" })),
    (s3) => s3.send(new aws.PutObjectCommand({ ...name, Body: "mine", IfNoneMatch: "*" })),
  ],
  UploadPart: [
    (s3) => s3.send(new aws.UploadPartCommand({ ...name, UploadId, PartNumber: 2, Body: "mine" })),
  ],
  UploadPartCopy: [(s3) => s3.send(new aws.UploadPartCopyCommand({ ...copied, UploadId, PartNumber: 2 }))],
  // The SDK sends no forms; post-object.test.ts does.
} as const satisfies Record<Exclude<OperationName, "PostObject">, readonly Send[]>;

const reads: ReadonlySet<string> = new Set<OperationName>([
  ..."ListBuckets GetBucketLocation HeadBucket ListMultipartUploads ListObjects ListObjectVersions".split(
    " ",
  ),
  ..."ListObjectsV2 GetObject HeadObject ListParts GetBucketConfiguration GetObjectConfiguration GetObjectAttributes GetObjectTagging".split(
    " ",
  ),
] as OperationName[]);

interface Case {
  readonly holder: "stranger" | "disabled" | "reader" | "limited";
  readonly operation: OperationName;
  readonly send: Send;
}

const every = (Object.entries(operations) as [OperationName, readonly Send[]][]).flatMap(
  ([operation, sends]) => sends.map((send) => ({ operation, send })),
);
const cases: readonly Case[] = [
  // ListBuckets and CreateBucket have tests of their own: one lists only the caller's buckets, the other reports a
  // taken name.
  ...every
    .filter(({ operation }) => operation !== "ListBuckets" && operation !== "CreateBucket")
    .map((row) => ({ ...row, holder: "stranger" as const })),
  ...every.map((row) => ({ ...row, holder: "disabled" as const })),
  ...every
    .filter(({ operation }) => !reads.has(operation))
    .map((row) => ({ ...row, holder: "reader" as const })),
  ...every
    .filter(({ operation }) => operation !== "ListBuckets")
    .map((row) => ({ ...row, holder: "limited" as const })),
];

async function outcomeOf(sent: Promise<unknown>): Promise<{ name: string; status: number }> {
  try {
    await sent;
    return { name: "answered", status: 200 };
  } catch (error) {
    const { name: code, $metadata } = error as Error & { $metadata: { httpStatusCode: number } };
    return { name: code, status: $metadata.httpStatusCode };
  }
}

/** Answers to HEAD have no body, so they carry no error code. */
const isHead = (operation: OperationName) => operation === "HeadObject" || operation === "HeadBucket";

test("the matrix covers every operation and every holder", () => {
  expect([Object.keys(operations).length, every.length, cases.length]).toEqual([30, 39, 133]);
});

test.each(cases)("$operation by the $holder key is answered 403", async ({ holder, operation, send }) => {
  const outcome = await outcomeOf(send(clientOf(testKeys[holder])));
  expect(outcome).toEqual(isHead(operation) ? { name: "Unknown", status: 403 } : refused);
});

test("no refused request has changed anything", async () => {
  expect(edge.store.find({ bucket: Bucket, key: Key })?.bytes.toString()).toBe("theirs");
  const owner = clientOf(testKeys.writer);
  const { Uploads } = await owner.send(new aws.ListMultipartUploadsCommand({ Bucket }));
  expect(Uploads?.map((upload) => upload.UploadId)).toEqual([UploadId]);
  const { Parts } = await owner.send(new aws.ListPartsCommand({ ...name, UploadId }));
  expect(Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([[1, "theirs too".length]]);
});

describe("between owners,", () => {
  const stranger = () => clientOf(testKeys.stranger);
  const own = { Bucket: "others", Key: "copy" };

  test.each<[string, Send]>([
    ["an object", (s3) => s3.send(new aws.CopyObjectCommand({ ...own, CopySource: `/${Bucket}/${Key}` }))],
    [
      "an object that is not there",
      (s3) => s3.send(new aws.CopyObjectCommand({ ...own, CopySource: `/${Bucket}/none` })),
    ],
    [
      "a part",
      async (s3) => {
        const upload = await s3.send(new aws.CreateMultipartUploadCommand(own));
        const part = { ...own, UploadId: upload.UploadId, PartNumber: 1, CopySource: `/${Bucket}/${Key}` };
        return await s3.send(new aws.UploadPartCopyCommand(part));
      },
    ],
    [
      "its own object into theirs",
      (s3) => s3.send(new aws.CopyObjectCommand({ ...name, CopySource: "/others/k" })),
    ],
  ])("a copy of %s is refused", async (_, send) => {
    expect(await outcomeOf(send(stranger()))).toEqual(refused);
    expect(edge.store.find({ bucket: "others", key: "copy" })).toBeUndefined();
  });

  test("an upload id of another bucket is unknown in the caller's own bucket", async () => {
    const part = new aws.UploadPartCommand({ Bucket: "others", Key, UploadId, PartNumber: 1, Body: "x" });
    expect(await outcomeOf(stranger().send(part))).toEqual({ name: "NoSuchUpload", status: 404 });
  });

  test("each owner sees only their own buckets, listed under their name", async () => {
    for (const [key, names] of [
      [testKeys.writer, [Bucket]],
      [testKeys.reader, [Bucket]],
      [testKeys.stranger, ["others"]],
      [testKeys.limited, []],
    ] as const) {
      const { Buckets, Owner } = await clientOf(key).send(new aws.ListBucketsCommand({}));
      expect(Buckets?.map((bucket) => bucket.Name) ?? []).toEqual(names);
      expect(Owner?.ID).toBe(key.owner);
    }
    const listed = await stranger().send(
      new aws.ListObjectsV2Command({ Bucket: "others", FetchOwner: true }),
    );
    expect(listed.Contents?.map(({ Owner }) => Owner?.ID)).toEqual(["stranger"]);
  });

  test("only its owner can create a bucket again", async () => {
    const create = (key: { id: string; secret: string }) =>
      outcomeOf(clientOf(key).send(new aws.CreateBucketCommand({ Bucket })));
    expect(await create(testKeys.stranger)).toEqual({ name: "BucketAlreadyExists", status: 409 });
    expect(await create(testKeys.writer)).toEqual({ name: "answered", status: 200 });
  });

  test("the name of a deleted bucket belongs to the owner who creates it next", async () => {
    const bucket = { Bucket: "passed-on" };
    await clientOf(testKeys.writer).send(new aws.CreateBucketCommand(bucket));
    await clientOf(testKeys.writer).send(new aws.DeleteBucketCommand(bucket));
    await stranger().send(new aws.CreateBucketCommand(bucket));
    expect(await outcomeOf(clientOf(testKeys.writer).send(new aws.ListObjectsV2Command(bucket)))).toEqual(
      refused,
    );
  });

  test("the next owner of a bucket cannot see an upload left behind by the previous one", async () => {
    const upload = { Bucket: "left-behind", Key: "secret" };
    const writer = clientOf(testKeys.writer);
    await writer.send(new aws.CreateBucketCommand({ Bucket: "left-behind" }));
    const begun = await writer.send(new aws.CreateMultipartUploadCommand(upload));
    const part = { ...upload, UploadId: begun.UploadId, PartNumber: 1 };
    const { ETag } = await writer.send(new aws.UploadPartCommand({ ...part, Body: "theirs" }));
    await writer.send(new aws.DeleteBucketCommand({ Bucket: "left-behind" }));
    await stranger().send(new aws.CreateBucketCommand({ Bucket: "left-behind" }));
    const { Uploads } = await stranger().send(new aws.ListMultipartUploadsCommand({ Bucket: "left-behind" }));
    expect(Uploads).toBeUndefined();
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    const named = { ...upload, UploadId: begun.UploadId };
    for (const sent of [
      () => stranger().send(new aws.CompleteMultipartUploadCommand({ ...named, MultipartUpload })),
      () => stranger().send(new aws.ListPartsCommand(named)),
      () => stranger().send(new aws.AbortMultipartUploadCommand(named)),
    ]) {
      expect(await outcomeOf(sent())).toEqual({ name: "NoSuchUpload", status: 404 });
    }
  });

  test("a missing bucket is reported as missing to every owner", async () => {
    const list = new aws.ListObjectsV2Command({ Bucket: "nowhere" });
    expect(await outcomeOf(stranger().send(list))).toEqual({ name: "NoSuchBucket", status: 404 });
  });
});

test("a disabled key is reported only to a correctly signed request", async () => {
  const { id } = testKeys.disabled;
  const list = new aws.ListBucketsCommand({});
  await expect(clientOf(testKeys.disabled).send(list)).rejects.toThrow(/is disabled/);
  clients.get(id)?.destroy();
  clients.delete(id);
  expect(await outcomeOf(clientOf({ id, secret: "wrong" }).send(list))).toMatchObject({
    name: "SignatureDoesNotMatch",
  });
});
