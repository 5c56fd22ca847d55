/** Tests keys of two owners on one vault with two coordinators. */
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { createAccessKey } from "@stashlight/node-runtime/config";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../harness/client.ts";
import { useSecondCoordinator } from "../harness/second-coordinator.ts";
import { useVault } from "../harness/use-vault.ts";

const second = await useSecondCoordinator();
const keys = {
  other: { ...createAccessKey("stash"), owner: "other" },
  disabled: { ...createAccessKey("stash"), isDisabled: true },
};
const used = useVault({
  processes: "one a node",
  amend: (file) => {
    const amended = second.amend(file);
    return { ...amended, accessKeys: [...amended.accessKeys, keys.other, keys.disabled] };
  },
});
const clients: S3Client[] = [];

function createOwnerClient(key: { id: string; secret: string }, endpoint: string): S3Client {
  const credentials = { accessKeyId: key.id, secretAccessKey: key.secret };
  const client = createClient(used.vault, { endpoint, credentials });
  clients.push(client);
  return client;
}

/** Clients of the other owner, one per coordinator. */
let others: readonly S3Client[] = [];
let own: readonly S3Client[] = [];

beforeAll(() => {
  const endpoints = [used.vault.endpoint, second.endpoint];
  own = endpoints.map((endpoint) => createOwnerClient(used.vault.key, endpoint));
  others = endpoints.map((endpoint) => createOwnerClient(keys.other, endpoint));
});

afterAll(() => {
  for (const client of clients) client.destroy();
});

const Bucket = "photos";
const denied = { name: "AccessDenied", $metadata: { httpStatusCode: 403 } };

test("only its owner can access a bucket, at either coordinator", async () => {
  await own[0]?.send(new CreateBucketCommand({ Bucket }));
  await own[1]?.send(new PutObjectCommand({ Bucket, Key: "k", Body: "mine" }));
  await others[1]?.send(new CreateBucketCommand({ Bucket: "theirs" }));
  for (const s3 of others) {
    for (const command of [
      new GetObjectCommand({ Bucket, Key: "k" }),
      new GetObjectCommand({ Bucket, Key: "none" }),
    ]) {
      await expect(s3.send(command)).rejects.toMatchObject(denied);
    }
    await expect(s3.send(new ListObjectsV2Command({ Bucket }))).rejects.toMatchObject(denied);
    await expect(s3.send(new PutObjectCommand({ Bucket, Key: "k", Body: "x" }))).rejects.toMatchObject(
      denied,
    );
    await expect(s3.send(new DeleteBucketCommand({ Bucket }))).rejects.toMatchObject(denied);
    const copy = new CopyObjectCommand({ Bucket: "theirs", Key: "k", CopySource: `/${Bucket}/k` });
    await expect(s3.send(copy)).rejects.toMatchObject(denied);
    await expect(s3.send(new CreateBucketCommand({ Bucket }))).rejects.toMatchObject({
      name: "BucketAlreadyExists",
    });
    const { Buckets } = await s3.send(new ListBucketsCommand({}));
    expect(Buckets?.map(({ Name }) => Name)).toEqual(["theirs"]);
  }
  const kept = await own[0]?.send(new GetObjectCommand({ Bucket, Key: "k" }));
  expect(await kept?.Body?.transformToString()).toBe("mine");
});

test("a bucket whose name has just changed owners belongs only to the new owner, at both coordinators", async () => {
  const name = { Bucket: "passed-on" };
  await own[0]?.send(new CreateBucketCommand(name));
  for (const s3 of own) await s3.send(new ListObjectsV2Command(name));
  await own[0]?.send(new DeleteBucketCommand(name));
  await others[0]?.send(new CreateBucketCommand(name));
  for (const s3 of own) await expect(s3.send(new ListObjectsV2Command(name))).rejects.toMatchObject(denied);
  for (const s3 of others) await s3.send(new ListObjectsV2Command(name));
});

test("the next owner of a bucket cannot see an upload left behind", async () => {
  const name = { Bucket: "left-behind" };
  await own[0]?.send(new CreateBucketCommand(name));
  const begun = await own[0]?.send(new CreateMultipartUploadCommand({ ...name, Key: "secret" }));
  const upload = { ...name, Key: "secret", UploadId: begun?.UploadId };
  const part = await own[0]?.send(new UploadPartCommand({ ...upload, PartNumber: 1, Body: "mine" }));
  await own[0]?.send(new DeleteBucketCommand(name));
  await others[0]?.send(new CreateBucketCommand(name));
  await others[0]?.send(new CreateMultipartUploadCommand({ ...name, Key: "theirs" }));
  for (const s3 of others) {
    const { Uploads } = await s3.send(new ListMultipartUploadsCommand({ ...name, MaxUploads: 1 }));
    expect(Uploads?.map(({ Key }) => Key)).toEqual(["theirs"]);
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag: part?.ETag }] };
    const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload });
    await expect(s3.send(complete)).rejects.toMatchObject({ name: "NoSuchUpload" });
  }
});

test("a key that the vault's file disables is refused", async () => {
  const s3 = createOwnerClient(keys.disabled, used.vault.endpoint);
  await expect(s3.send(new ListBucketsCommand({}))).rejects.toMatchObject(denied);
});
