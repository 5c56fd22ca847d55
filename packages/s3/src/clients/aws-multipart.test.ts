/** Multipart uploads and presigned addresses of the AWS SDK. */
import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { describe, expect, test } from "vitest";
import { checksumAlgorithms } from "../checksum/algorithms.ts";
import { createWasmHash } from "../checksum/wasm-hash.ts";
import { useAwsClient, useEdge } from "../testing/use-edge.ts";

const MIB = 1_048_576;
const Bucket = "uploads";
let nowMs = Date.now();
const edge = await useEdge({ nowMs: () => nowMs });
const s3 = useAwsClient(edge);
/** Signs addresses for any body. */
const signer = useAwsClient(edge, { requestChecksumCalculation: "WHEN_REQUIRED" });
await s3.send(new CreateBucketCommand({ Bucket }));

test("lib-storage uploads one body in parts, and it comes back unchanged", async () => {
  const Body = randomBytes(12 * MIB + 5);
  const upload = new Upload({ client: s3, params: { Bucket, Key: "big", Body, Metadata: { kind: "big" } } });
  const result = await upload.done();
  expect(result.ETag).toMatch(/-3"$/);
  const got = await s3.send(new GetObjectCommand({ Bucket, Key: "big" }));
  expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(Body)).toBe(true);
  expect(got.Metadata).toEqual({ kind: "big" });
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: "big", ChecksumMode: "ENABLED" }));
  expect(head).toMatchObject({ ChecksumType: "COMPOSITE", ChecksumCRC32: expect.stringMatching(/-3$/) });
});

async function begin(Key: string, options: object = {}): Promise<string> {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...options }));
  return UploadId as string;
}

test.each([
  ["CRC32", "COMPOSITE"],
  ["CRC32", "FULL_OBJECT"],
  ["CRC32C", "FULL_OBJECT"],
  ["CRC64NVME", "FULL_OBJECT"],
  ["SHA1", "COMPOSITE"],
  ["SHA256", "COMPOSITE"],
] as const)(
  "checksums of parts (%s) are combined into the object's, %s",
  async (ChecksumAlgorithm, ChecksumType) => {
    const Key = `multipart/${ChecksumAlgorithm}-${ChecksumType}`;
    const UploadId = await begin(Key, { ChecksumAlgorithm, ChecksumType });
    const bodies = [randomBytes(5 * MIB), randomBytes(6 * MIB), randomBytes(77)];
    const field = `Checksum${ChecksumAlgorithm}` as const;
    const Parts = [];
    for (const [i, Body] of bodies.entries()) {
      const PartNumber = i + 1;
      const part = await s3.send(
        new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ChecksumAlgorithm }),
      );
      Parts.push({ PartNumber, ETag: part.ETag, [field]: part[field] });
    }
    const done = await s3.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, ChecksumType, MultipartUpload: { Parts } }),
    );
    const whole = Buffer.concat(bodies);
    const stored = edge.store.find({ bucket: Bucket, key: Key });
    expect(stored?.bytes.equals(whole)).toBe(true);
    expect(done).toMatchObject({ ETag: `"${stored?.etag}"`, ChecksumType, [field]: stored?.checksum?.value });
    const md5s = bodies.map((body) => createHash("md5").update(body).digest());
    expect(stored?.etag).toBe(`${createHash("md5").update(Buffer.concat(md5s)).digest("hex")}-3`);
    if (ChecksumType === "COMPOSITE") expect(stored?.checksum?.value).toMatch(/=-3$/);
    if (ChecksumAlgorithm === "CRC64NVME") {
      const crc = await createWasmHash("createCRC64");
      crc.update(whole);
      expect(stored?.checksum?.value).toBe(crc.digest().toString("base64"));
    }
    if (ChecksumAlgorithm === "CRC32" && ChecksumType === "FULL_OBJECT") {
      expect(Buffer.from(stored?.checksum?.value ?? "", "base64").readUInt32BE()).toBe(crc32(whole));
    }
  },
);

/** AWS's table: these are made of the checksums of parts, and never of all bytes. */
test.each(["MD5", "SHA512", "XXHASH3", "XXHASH64", "XXHASH128"] as const)(
  "checksums of parts (%s) are combined into the object's, COMPOSITE, and FULL_OBJECT is refused",
  async (ChecksumAlgorithm) => {
    const Key = `multipart/${ChecksumAlgorithm}`;
    const whole = begin(Key, { ChecksumAlgorithm, ChecksumType: "FULL_OBJECT" });
    await expect(whole).rejects.toMatchObject({ name: "InvalidRequest" });
    const UploadId = await begin(Key, { ChecksumAlgorithm });
    const field = `Checksum${ChecksumAlgorithm}` as const;
    const { create } = checksumAlgorithms[ChecksumAlgorithm];
    const all = await create();
    const Parts = [];
    for (const [i, Body] of [randomBytes(5 * MIB), randomBytes(77)].entries()) {
      const hasher = await create();
      hasher.update(Body);
      const digest = hasher.digest();
      all.update(digest);
      const part = { PartNumber: i + 1, [field]: digest.toString("base64") };
      const { ETag, ...answer } = await s3.send(
        new UploadPartCommand({ Bucket, Key, UploadId, Body, ...part }),
      );
      expect(answer[field]).toBe(part[field]);
      Parts.push({ ...part, ETag });
    }
    const value = `${all.digest().toString("base64")}-2`;
    const request = { Bucket, Key, UploadId, MultipartUpload: { Parts }, [field]: value };
    const done = await s3.send(new CompleteMultipartUploadCommand(request));
    expect(done).toMatchObject({ ChecksumType: "COMPOSITE", [field]: value });
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: "ENABLED" }));
    expect(head).toMatchObject({ ChecksumType: "COMPOSITE", [field]: value });
  },
);

describe("completing an upload", () => {
  const partOf = async (Key: string, UploadId: string, PartNumber: number, Body: string) => {
    const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
    return { PartNumber, ETag };
  };
  const complete = (Key: string, UploadId: string, Parts: object[]) =>
    s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));

  test("is refused with parts that are small, unknown or misordered, and after the upload has ended", async () => {
    const Key = "refused";
    const UploadId = await begin(Key);
    const first = await partOf(Key, UploadId, 1, "one");
    const second = await partOf(Key, UploadId, 2, "two");
    await expect(complete(Key, UploadId, [first, second])).rejects.toMatchObject({ name: "EntityTooSmall" });
    await expect(complete(Key, UploadId, [second, first])).rejects.toMatchObject({
      name: "InvalidPartOrder",
    });
    await expect(complete(Key, UploadId, [first, { PartNumber: 3, ETag: first.ETag }])).rejects.toMatchObject(
      {
        name: "InvalidPart",
      },
    );
    await expect(complete(Key, UploadId, [{ PartNumber: 1, ETag: second.ETag }])).rejects.toMatchObject({
      name: "InvalidPart",
    });
    await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    await expect(complete(Key, UploadId, [first])).rejects.toMatchObject({ name: "NoSuchUpload" });
    await expect(partOf(Key, UploadId, 1, "late")).rejects.toMatchObject({ name: "NoSuchUpload" });
  });

  test("is refused if the object's size or checksum is not the announced one", async () => {
    const Key = "announced";
    const UploadId = await begin(Key, { ChecksumAlgorithm: "CRC32", ChecksumType: "FULL_OBJECT" });
    const Parts = [await partOf(Key, UploadId, 1, "one")];
    const finish = (options: object) =>
      s3.send(
        new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts }, ...options }),
      );
    await expect(finish({ ChecksumCRC32: "AAAAAA==" })).rejects.toMatchObject({ name: "BadDigest" });
    await expect(finish({ MpuObjectSize: 4 })).rejects.toMatchObject({ name: "InvalidRequest" });
    await expect(finish({ ChecksumType: "COMPOSITE" })).rejects.toMatchObject({ name: "InvalidRequest" });
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32("one"));
    await finish({ ChecksumCRC32: crc.toString("base64"), MpuObjectSize: 3 });
    expect(edge.store.find({ bucket: Bucket, key: Key })?.bytes.toString()).toBe("one");
  });

  test("with If-None-Match does not replace an object that appeared meanwhile", async () => {
    const Key = "conditional";
    const UploadId = await begin(Key);
    const Parts = [await partOf(Key, UploadId, 1, "one")];
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: "other" }));
    const request = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
    await expect(
      s3.send(new CompleteMultipartUploadCommand({ ...request, IfNoneMatch: "*" })),
    ).rejects.toMatchObject({ name: "PreconditionFailed" });
    await s3.send(new CompleteMultipartUploadCommand(request));
    expect(edge.store.find({ bucket: Bucket, key: Key })?.bytes.toString()).toBe("one");
  });
});

test("parts and uploads are listed page by page", async () => {
  const Key = "listed/1";
  const UploadId = await begin(Key, { ChecksumAlgorithm: "CRC32" });
  const other = await begin("listed/2");
  for (const PartNumber of [3, 1, 2]) {
    await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body: `part ${PartNumber}` }));
  }
  const page = await s3.send(new ListPartsCommand({ Bucket, Key, UploadId, MaxParts: 2 }));
  expect(page.Parts?.map((part) => part.PartNumber)).toEqual([1, 2]);
  expect(page).toMatchObject({ IsTruncated: true, NextPartNumberMarker: "2", ChecksumAlgorithm: "CRC32" });
  const rest = await s3.send(new ListPartsCommand({ Bucket, Key, UploadId, PartNumberMarker: "2" }));
  expect(rest.Parts?.map((part) => part.PartNumber)).toEqual([3]);

  const uploads = await s3.send(
    new ListMultipartUploadsCommand({ Bucket, Prefix: "listed/", MaxUploads: 1 }),
  );
  expect(uploads.Uploads?.map((upload) => upload.UploadId)).toEqual([UploadId]);
  const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = uploads;
  const more = await s3.send(
    new ListMultipartUploadsCommand({ Bucket, Prefix: "listed/", KeyMarker, UploadIdMarker }),
  );
  expect(more.Uploads?.map((upload) => upload.UploadId)).toEqual([other]);
});

test("a part is copied from a range of an object", async () => {
  const source = randomBytes(6 * MIB);
  await s3.send(new PutObjectCommand({ Bucket, Key: "part source", Body: source }));
  const Key = "assembled";
  const UploadId = await begin(Key, { ChecksumAlgorithm: "CRC64NVME" });
  const Parts = [];
  for (const [i, CopySourceRange] of [
    `bytes=0-${5 * MIB - 1}`,
    `bytes=${6 * MIB - 10}-${6 * MIB - 1}`,
  ].entries()) {
    const PartNumber = i + 1;
    const CopySource = `${Bucket}/part%20source`;
    const { CopyPartResult } = await s3.send(
      new UploadPartCopyCommand({ Bucket, Key, UploadId, PartNumber, CopySource, CopySourceRange }),
    );
    Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
  }
  await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
  const expected = Buffer.concat([source.subarray(0, 5 * MIB), source.subarray(6 * MIB - 10)]);
  const stored = edge.store.find({ bucket: Bucket, key: Key });
  expect(stored?.bytes.equals(expected)).toBe(true);
  expect(stored?.checksum?.algorithm).toBe("CRC64NVME");
});

describe("presigned addresses", () => {
  test("accept any body, even if the address has the checksum of another", async () => {
    // By default the SDK puts the checksum of an empty body there.
    const put = await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: "signed body" }));
    expect(put).toContain("x-amz-checksum-crc32=AAAAAA%3D%3D");
    expect((await fetch(put, { method: "PUT", body: "hello" })).status).toBe(200);
    const stored = edge.store.find({ bucket: Bucket, key: "signed body" });
    expect([stored?.bytes.toString(), stored?.checksum]).toEqual(["hello", null]);
  });

  test("that were signed with a checksum header accept only the body with this checksum", async () => {
    const name = "x-amz-checksum-crc32";
    const command = new PutObjectCommand({ Bucket, Key: "checked body", ChecksumCRC32: "NhCmhg==" });
    const put = await getSignedUrl(s3, command, { unhoistableHeaders: new Set([name]) });
    const send = (body: string) => fetch(put, { method: "PUT", body, headers: { [name]: "NhCmhg==" } });
    const refused = await send("another body");
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("BadDigest")]);
    expect((await send("hello")).status).toBe(200);
  });

  test("put, get with overridden headers, and delete without an access key", async () => {
    const Key = "presigned/ü + ?&=/x";
    const put = await getSignedUrl(
      signer,
      new PutObjectCommand({ Bucket, Key, Metadata: { by: "address" } }),
    );
    const stored = await fetch(put, { method: "PUT", body: "by address" });
    expect(await stored.text()).toBe("");
    expect(stored.status).toBe(200);
    expect(edge.store.find({ bucket: Bucket, key: Key })?.attributes.userMetadata).toEqual({ by: "address" });
    const get = await getSignedUrl(
      s3,
      new GetObjectCommand({
        Bucket,
        Key,
        ResponseContentType: "text/x-other",
        ResponseContentDisposition: 'attachment; filename="ü.txt"',
        ResponseCacheControl: "no-store",
      }),
    );
    const got = await fetch(get);
    expect(await got.text()).toBe("by address");
    expect(got.headers.get("content-type")).toBe("text/x-other");
    expect(got.headers.get("cache-control")).toBe("no-store");
    const disposition = Buffer.from(got.headers.get("content-disposition") ?? "", "latin1").toString("utf8");
    expect(disposition).toBe('attachment; filename="ü.txt"');
    const gone = await fetch(await getSignedUrl(s3, new DeleteObjectCommand({ Bucket, Key })), {
      method: "DELETE",
    });
    expect(gone.status).toBe(204);
  });

  test("expire, and cannot be changed", async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "timed", Body: "x" }));
    const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: "timed" }), { expiresIn: 60 });
    expect((await fetch(url)).status).toBe(200);
    for (const other of [
      url.replace("timed", "other"),
      url.replace("Expires=60", "Expires=61"),
      `${url}&a=b`,
    ]) {
      expect((await fetch(other)).status).toBe(403);
    }
    expect((await fetch(url, { method: "DELETE" })).status).toBe(403);
    expect((await fetch(url, { headers: { "x-amz-meta-a": "b" } })).status).toBe(403);
    nowMs = Date.now() + 62_000;
    const late = await fetch(url);
    nowMs = Date.now() - 16 * 60_000;
    const early = await fetch(url);
    nowMs = Date.now();
    expect([late.status, await late.text()]).toEqual([403, expect.stringContaining("has expired")]);
    expect([early.status, await early.text()]).toEqual([403, expect.stringContaining("not valid yet")]);
  });

  test("cannot put a line break into the answer's headers", async () => {
    const get = new GetObjectCommand({ Bucket, Key: "timed", ResponseContentType: "a\r\nset-cookie: b" });
    const answer = await fetch(await getSignedUrl(s3, get));
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("InvalidArgument")]);
  });
});
