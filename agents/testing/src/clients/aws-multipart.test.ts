/** Tests multipart uploads and lists with the AWS SDK for JavaScript. */
import { createHash, randomBytes } from "node:crypto";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { beforeAll, expect, test } from "vitest";
import { readBody } from "../harness/client.ts";
import { useVault } from "../harness/use-vault.ts";

const MIB = 1_048_576;
const PIECE = 2 * MIB;
const used = useVault({ podVolume: { segmentBytes: 8 * MIB, segmentCount: 12 }, pieceBytes: PIECE });
const Bucket = "multipart";

beforeAll(async () => {
  await used.s3.send(new CreateBucketCommand({ Bucket }));
});

const get = async (Key: string, options: object = {}): Promise<Buffer> =>
  readBody((await used.s3.send(new GetObjectCommand({ Bucket, Key, ...options }))).Body);

async function begin(Key: string): Promise<string> {
  const { UploadId } = await used.s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  return UploadId as string;
}

const uploadPart = async (Key: string, UploadId: string, PartNumber: number, Body: Uint8Array) => {
  const { ETag } = await used.s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
  return { PartNumber, ETag };
};

test("each part of an object keeps its checksum", async () => {
  const name = { Bucket, Key: "checksums" };
  const ChecksumAlgorithm = "SHA256" as const;
  const { UploadId } = await used.s3.send(new CreateMultipartUploadCommand({ ...name, ChecksumAlgorithm }));
  const Parts = [];
  for (const [i, Body] of [randomBytes(5 * MIB), randomBytes(77)].entries()) {
    const part = { ...name, UploadId, PartNumber: i + 1, Body, ChecksumAlgorithm };
    const { ETag, ChecksumSHA256 } = await used.s3.send(new UploadPartCommand(part));
    Parts.push({ PartNumber: i + 1, ETag, ChecksumSHA256 });
  }
  const request = { ...name, UploadId, MultipartUpload: { Parts } };
  await used.s3.send(new CompleteMultipartUploadCommand(request));
  for (const { PartNumber, ChecksumSHA256 } of Parts) {
    const asked = { ...name, PartNumber, ChecksumMode: "ENABLED" as const };
    const head = await used.s3.send(new HeadObjectCommand(asked));
    expect(head).toMatchObject({ ChecksumSHA256, ChecksumType: "COMPOSITE" });
  }
});

test("parts of several pieces, sent out of order and one of them twice, become one object", async () => {
  const Key = "parts";
  const UploadId = await begin(Key);
  const bodies = [randomBytes(2 * PIECE + MIB), randomBytes(5 * MIB), randomBytes(77)];
  const third = await uploadPart(Key, UploadId, 3, bodies[2] as Buffer);
  await uploadPart(Key, UploadId, 1, randomBytes(5 * MIB));
  const first = await uploadPart(Key, UploadId, 1, bodies[0] as Buffer);
  const second = await uploadPart(Key, UploadId, 2, bodies[1] as Buffer);
  const { Parts } = await used.s3.send(new ListPartsCommand({ Bucket, Key, UploadId }));
  expect(Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual(
    bodies.map((body, at) => [at + 1, body.length]),
  );
  const MultipartUpload = { Parts: [first, second, third] };
  const { ETag } = await used.s3.send(
    new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }),
  );
  const md5s = bodies.map((body) => createHash("md5").update(body).digest());
  expect(ETag).toBe(`"${createHash("md5").update(Buffer.concat(md5s)).digest("hex")}-3"`);
  const whole = Buffer.concat(bodies);
  expect((await get(Key)).equals(whole)).toBe(true);
  const seam = (bodies[0] as Buffer).length;
  const range = await get(Key, { Range: `bytes=${seam - 10}-${seam + 9}` });
  expect(range.equals(whole.subarray(seam - 10, seam + 10))).toBe(true);
});

test("lib-storage uploads a large body in parts", async () => {
  const Body = randomBytes(11 * MIB);
  const upload = new Upload({ client: used.s3, params: { Bucket, Key: "library", Body } });
  expect((await upload.done()).ETag).toMatch(/-3"$/);
  expect((await get("library")).equals(Body)).toBe(true);
});

test("a part may be a range of another object", async () => {
  const source = randomBytes(6 * MIB);
  await used.s3.send(new PutObjectCommand({ Bucket, Key: "source", Body: source }));
  const Key = "copied";
  const UploadId = await begin(Key);
  const { CopyPartResult } = await used.s3.send(
    new UploadPartCopyCommand({
      Bucket,
      Key,
      UploadId,
      PartNumber: 1,
      CopySource: `/${Bucket}/source`,
      CopySourceRange: `bytes=${MIB}-${6 * MIB - 1}`,
    }),
  );
  const Parts = [{ PartNumber: 1, ETag: CopyPartResult?.ETag }];
  await used.s3.send(
    new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
  );
  expect((await get(Key)).equals(source.subarray(MIB))).toBe(true);
});

test("a multipart upload is listed until it is aborted, after which neither it nor its object exists", async () => {
  const Key = "given up";
  const UploadId = await begin(Key);
  await uploadPart(Key, UploadId, 1, randomBytes(1000));
  const { Uploads } = await used.s3.send(new ListMultipartUploadsCommand({ Bucket }));
  expect(Uploads).toMatchObject([{ Key, UploadId }]);
  await used.s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  const after = await used.s3.send(new ListMultipartUploadsCommand({ Bucket }));
  expect(after.Uploads ?? []).toEqual([]);
  await expect(uploadPart(Key, UploadId, 2, randomBytes(10))).rejects.toMatchObject({ name: "NoSuchUpload" });
  await expect(used.s3.send(new HeadObjectCommand({ Bucket, Key }))).rejects.toMatchObject({
    name: "NotFound",
  });
});

test("lists are complete and in UTF-8 order, in pages of both versions, and with prefix and delimiter", async () => {
  const name = { Bucket: "lists" };
  await used.s3.send(new CreateBucketCommand(name));
  const folders = ["a/", "b/", "ä/", "\u{1f600}/", "￼/"];
  const keys = ["a", ...folders.flatMap((folder) => Array.from({ length: 6 }, (_, i) => `${folder}${i} +&`))];
  await Promise.all(keys.map((Key) => used.s3.send(new PutObjectCommand({ ...name, Key, Body: "x" }))));
  const ordered = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

  const second: string[] = [];
  for (let ContinuationToken: string | undefined; ; ) {
    const page = await used.s3.send(new ListObjectsV2Command({ ...name, MaxKeys: 7, ContinuationToken }));
    expect(page.KeyCount).toBe(page.Contents?.length);
    second.push(...(page.Contents ?? []).map(({ Key = "" }) => Key));
    ContinuationToken = page.NextContinuationToken;
    if (page.IsTruncated !== true) break;
  }
  expect(second).toEqual(ordered);

  const first: string[] = [];
  for (let Marker = ""; ; Marker = first.at(-1) ?? "") {
    const page = await used.s3.send(new ListObjectsCommand({ ...name, MaxKeys: 7, Marker }));
    first.push(...(page.Contents ?? []).map(({ Key = "" }) => Key));
    if (page.IsTruncated !== true) break;
  }
  expect(first).toEqual(ordered);

  const grouped = await used.s3.send(new ListObjectsV2Command({ ...name, Delimiter: "/" }));
  expect(grouped.Contents?.map(({ Key }) => Key)).toEqual(["a"]);
  const prefixes = grouped.CommonPrefixes?.map(({ Prefix }) => Prefix);
  expect(prefixes).toEqual([...folders].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  const inside = await used.s3.send(
    new ListObjectsV2Command({ ...name, Prefix: "ä/", StartAfter: "ä/2 +&", EncodingType: "url" }),
  );
  expect(inside.KeyCount).toBe(3);
});
