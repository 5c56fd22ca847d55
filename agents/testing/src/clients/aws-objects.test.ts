/** Tests objects with the AWS SDK for JavaScript, in a vault of 16+4 on 41 drives. */
import { createHash, randomBytes } from "node:crypto";
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeletePublicAccessBlockCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  GetPublicAccessBlockCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { createAccessKey } from "@stashlight/node-runtime/config";
import { beforeAll, expect, test } from "vitest";
import { createClient, readBody } from "../harness/client.ts";
import { uploadPath } from "../harness/upload-path.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const MIB = 1_048_576;
const SMALL = MIB;
const PIECE = 2 * MIB;
const Bucket = "objects";

const used = useVault({
  scheme: { dataShardCount: 16, parityShardCount: 4 },
  podNodeCount: 2,
  stashNodeCount: 7,
  drivesPerStashNode: 3,
  podVolume: { segmentBytes: 2 * MIB, segmentCount: 8 },
  stashVolume: { segmentBytes: MIB, segmentCount: 8 },
  pieceBytes: PIECE,
  amend: (file) => ({ ...file, accessKeys: [...file.accessKeys, createAccessKey("direct")] }),
});

beforeAll(async () => {
  await used.s3.send(new CreateBucketCommand({ Bucket }));
});

const get = async (Key: string, options: object = {}): Promise<Buffer> =>
  readBody((await used.s3.send(new GetObjectCommand({ Bucket, Key, ...options }))).Body);

const metricsText = async (): Promise<string> => {
  const [coordinator = ""] = used.vault.nodeIdsOf("coordinator");
  return (await used.vault.askAdmin(coordinator, "/metrics"))?.text ?? "";
};

test.each([0, 1, 65_537, SMALL, SMALL + 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 12_345])(
  "an object of %i bytes comes back exactly, and HEAD has its size and ETag",
  async (sizeBytes) => {
    const Key = `sizes/${sizeBytes}`;
    const Body = randomBytes(sizeBytes);
    const { ETag } = await used.s3.send(new PutObjectCommand({ Bucket, Key, Body }));
    expect(ETag).toBe(`"${createHash("md5").update(Body).digest("hex")}"`);
    expect((await get(Key)).equals(Body)).toBe(true);
    const head = await used.s3.send(new HeadObjectCommand({ Bucket, Key }));
    expect(head).toMatchObject({ ContentLength: sizeBytes, ETag });
  },
);

test("small objects take the stash, and large ones the direct path", async () => {
  const chosenPath = (sizeBytes: number) =>
    uploadPath(used.vault, { bucket: Bucket, key: "path", body: randomBytes(sizeBytes) });
  // Retries, because a machine busy with other tests may exceed the stash's patience.
  await until("an upload takes the stash", async () => (await chosenPath(SMALL)) === "stash", 15_000);
  expect(await chosenPath(SMALL + 1)).toBe("direct");
  expect(await chosenPath(PIECE + 1)).toBe("direct");
});

test("small objects of a key with direct uploads bypass the stash, and do not count as fallbacks", async () => {
  const key = used.vault.file.accessKeys.find(({ uploadPath }) => uploadPath === "direct");
  const upload = { bucket: Bucket, key: "direct", body: randomBytes(SMALL) };
  const fallbacks = async () => (await metricsText()).match(/^stashlight_fallbacks_total.*/gm);
  const before = await fallbacks();
  expect(await uploadPath(used.vault, upload, key)).toBe("direct");
  expect((await get("direct")).equals(upload.body)).toBe(true);
  expect(await fallbacks()).toEqual(before);
});

test.each([
  ["within a small object", SMALL, 1000, 2000],
  ["that ends a small object", SMALL, SMALL - 1, SMALL - 1],
  ["across the boundary of two pieces", 2 * PIECE, PIECE - 3, PIECE + 3],
  ["of the last piece alone", 2 * PIECE + 10, 2 * PIECE, 2 * PIECE + 9],
  ["over three pieces", 3 * PIECE, PIECE - 1, 2 * PIECE + 1],
])("a range %s is served", async (name, sizeBytes, first, last) => {
  const Key = `ranges/${name}`;
  const Body = randomBytes(sizeBytes);
  await used.s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  const got = await used.s3.send(new GetObjectCommand({ Bucket, Key, Range: `bytes=${first}-${last}` }));
  expect(got.ContentRange).toBe(`bytes ${first}-${last}/${sizeBytes}`);
  expect((await readBody(got.Body)).equals(Body.subarray(first, last + 1))).toBe(true);
});

test.each(["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"] as const)(
  "%s is kept with small objects and with those in pieces",
  async (ChecksumAlgorithm) => {
    const field = `Checksum${ChecksumAlgorithm}` as const;
    for (const sizeBytes of [1000, PIECE + 1]) {
      const Key = `checksums/${ChecksumAlgorithm}/${sizeBytes}`;
      const Body = randomBytes(sizeBytes);
      const put = await used.s3.send(new PutObjectCommand({ Bucket, Key, Body, ChecksumAlgorithm }));
      const got = await used.s3.send(new GetObjectCommand({ Bucket, Key, ChecksumMode: "ENABLED" }));
      expect(put[field]).toBeTruthy();
      expect(got[field]).toBe(put[field]);
      expect((await readBody(got.Body)).equals(Body)).toBe(true);
    }
  },
);

test("metadata and content headers come back, from small objects and from those in pieces", async () => {
  const attributes = {
    ContentType: "text/plain; charset=utf-8",
    CacheControl: "max-age=60",
    ContentDisposition: 'attachment; filename="a b.txt"',
    ContentEncoding: "gzip",
    ContentLanguage: "en, de",
    Metadata: { camera: "X 100", note: "two words" },
  };
  for (const sizeBytes of [10, PIECE + 1]) {
    const Key = `attributes/${sizeBytes}`;
    await used.s3.send(new PutObjectCommand({ Bucket, Key, Body: randomBytes(sizeBytes), ...attributes }));
    expect(await used.s3.send(new HeadObjectCommand({ Bucket, Key }))).toMatchObject(attributes);
  }
});

test("at most one of several writes that require an absent key succeeds, and the others are refused", async () => {
  const Key = "conditions/once";
  const outcomes = await Promise.all(
    ["a", "b", "c", "d"].map(async (Body) => {
      try {
        await used.s3.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: "*" }));
        return Body;
      } catch (error) {
        expect(["PreconditionFailed", "ConditionalRequestConflict"]).toContain((error as Error).name);
        return null;
      }
    }),
  );
  const [winner, ...others] = outcomes.filter((body) => body !== null);
  expect(others).toEqual([]);
  const stored = await get(Key).catch((error: Error) => error.name);
  expect(stored.toString()).toBe(winner ?? "NoSuchKey");
});

test("a write conditional on an ETag replaces that version and no other", async () => {
  const name = { Bucket, Key: "conditions/match" };
  const first = await used.s3.send(new PutObjectCommand({ ...name, Body: "1" }));
  const second = await used.s3.send(new PutObjectCommand({ ...name, Body: "2", IfMatch: first.ETag }));
  expect(second.ETag).not.toBe(first.ETag);
  await expect(
    used.s3.send(new PutObjectCommand({ ...name, Body: "3", IfMatch: first.ETag })),
  ).rejects.toMatchObject({ name: "PreconditionFailed" });
  expect((await get(name.Key)).toString()).toBe("2");
});

test("an object is copied with its metadata, whole and in pieces", async () => {
  for (const sizeBytes of [1000, PIECE + 5]) {
    const source = `copies/ü + ${sizeBytes}`;
    const Body = randomBytes(sizeBytes);
    await used.s3.send(new PutObjectCommand({ Bucket, Key: source, Body, Metadata: { a: "1" } }));
    const CopySource = `/${Bucket}/${encodeURIComponent(source)}`;
    const Key = `copies/target-${sizeBytes}`;
    await used.s3.send(new CopyObjectCommand({ Bucket, Key, CopySource }));
    await used.s3.send(new DeleteObjectCommand({ Bucket, Key: source }));
    expect((await get(Key)).equals(Body)).toBe(true);
    const head = await used.s3.send(new HeadObjectCommand({ Bucket, Key }));
    expect(head.Metadata).toEqual({ a: "1" });
  }
});

test("a deleted object is gone, deleted alone or with others, and can be written again", async () => {
  const Keys = Array.from({ length: 12 }, (_, i) => `deleted/${i}`);
  for (const Key of Keys) await used.s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  await used.s3.send(new DeleteObjectCommand({ Bucket, Key: Keys[0] }));
  const Objects = [...Keys.slice(1), "deleted/never-there"].map((Key) => ({ Key }));
  const result = await used.s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(result.Errors ?? []).toEqual([]);
  expect(result.Deleted).toHaveLength(Objects.length);
  for (const Key of Keys) await expect(get(Key)).rejects.toMatchObject({ name: "NoSuchKey" });
  await used.s3.send(new PutObjectCommand({ Bucket, Key: Keys[0], Body: "again" }));
  expect((await get(Keys[0] as string)).toString()).toBe("again");
});

test("presigned addresses put, get and delete without access keys", async () => {
  const signer = createClient(used.vault, { requestChecksumCalculation: "WHEN_REQUIRED" });
  const name = { Bucket, Key: "presigned/ä b" };
  const body = randomBytes(100_000);
  const put = await fetch(await getSignedUrl(signer, new PutObjectCommand(name)), { method: "PUT", body });
  expect(put.status).toBe(200);
  const read = await fetch(await getSignedUrl(signer, new GetObjectCommand(name)));
  expect(Buffer.from(await read.arrayBuffer()).equals(body)).toBe(true);
  const gone = await fetch(await getSignedUrl(signer, new DeleteObjectCommand(name)), { method: "DELETE" });
  expect(gone.status).toBe(204);
  await expect(get(name.Key)).rejects.toMatchObject({ name: "NoSuchKey" });
});

test("a bucket's setting is read back, and deleted with the bucket", async () => {
  const name = { Bucket: "set-up" };
  const read = () => used.s3.send(new GetPublicAccessBlockCommand(name));
  const blocked = {
    BlockPublicAcls: true,
    IgnorePublicAcls: true,
    BlockPublicPolicy: true,
    RestrictPublicBuckets: true,
  };
  const unset = { name: "NoSuchPublicAccessBlockConfiguration" };
  await used.s3.send(new CreateBucketCommand(name));
  await expect(read()).rejects.toMatchObject(unset);
  const command = { ...name, PublicAccessBlockConfiguration: blocked };
  await used.s3.send(new PutPublicAccessBlockCommand(command));
  expect((await read()).PublicAccessBlockConfiguration).toEqual(blocked);
  await used.s3.send(new DeletePublicAccessBlockCommand(name));
  await expect(read()).rejects.toMatchObject(unset);
  await used.s3.send(new PutPublicAccessBlockCommand(command));
  await used.s3.send(new DeleteBucketCommand(name));
  await used.s3.send(new CreateBucketCommand(name));
  await expect(read()).rejects.toMatchObject(unset);
  await used.s3.send(new DeleteBucketCommand(name));
});

test("buckets are created, found, listed, and removed when empty", async () => {
  const name = { Bucket: "short-lived" };
  await used.s3.send(new CreateBucketCommand(name));
  // Succeeds a second time, as on AWS in this region.
  await used.s3.send(new CreateBucketCommand(name));
  await used.s3.send(new HeadBucketCommand(name));
  await used.s3.send(new GetBucketLocationCommand(name));
  const { Buckets } = await used.s3.send(new ListBucketsCommand({}));
  expect(Buckets?.map(({ Name }) => Name)).toEqual([Bucket, "short-lived"]);
  await used.s3.send(new PutObjectCommand({ ...name, Key: "k", Body: "x" }));
  await expect(used.s3.send(new DeleteBucketCommand(name))).rejects.toMatchObject({ name: "BucketNotEmpty" });
  await used.s3.send(new DeleteObjectCommand({ ...name, Key: "k" }));
  await used.s3.send(new DeleteBucketCommand(name));
  await expect(used.s3.send(new HeadBucketCommand(name))).rejects.toMatchObject({ name: "NotFound" });
});

test("everything written drains from the stash to the pods", () => used.vault.drained());
