/** Tests headers of server-side encryption, sent by the AWS SDK and by raw requests. */
import { createHash } from "node:crypto";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteBucketEncryptionCommand,
  GetBucketEncryptionCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutBucketEncryptionCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { awsClientOf } from "../testing/aws-client.ts";
import { startEdge, type TestEdge } from "../testing/start-edge.ts";
import { exchange, startWireEdge } from "../testing/wire.ts";

const keyOf = (fill: number) => {
  const bytes = Buffer.alloc(32, fill);
  return { key: bytes.toString("base64"), md5: createHash("md5").update(bytes).digest("base64") };
};
const own = keyOf(1);
const other = keyOf(2);
const customer = ({ key, md5 }: typeof own) => ({
  SSECustomerAlgorithm: "AES256",
  SSECustomerKey: key,
  SSECustomerKeyMD5: md5,
});
const Bucket = "bucket";

describe("by the AWS SDK,", () => {
  let edge: TestEdge;
  let s3: S3Client;
  beforeAll(async () => {
    edge = await startEdge();
    edge.store.addBucket(Bucket);
    s3 = awsClientOf(edge);
  });
  afterAll(async () => {
    s3.destroy();
    await edge.close();
  });

  test("encryption by the vault is confirmed in every answer about the object", async () => {
    const Key = "managed";
    const put = await s3.send(
      new PutObjectCommand({ Bucket, Key, Body: "hello", ServerSideEncryption: "AES256" }),
    );
    expect([put.ServerSideEncryption, put.ETag]).toEqual(["AES256", `"${md5Of("hello")}"`]);
    expect((await s3.send(new GetObjectCommand({ Bucket, Key }))).ServerSideEncryption).toBe("AES256");
    expect((await s3.send(new HeadObjectCommand({ Bucket, Key }))).ServerSideEncryption).toBe("AES256");
    const copy = new CopyObjectCommand({
      Bucket,
      Key,
      CopySource: `${Bucket}/${Key}`,
      ServerSideEncryption: "AES256",
    });
    expect((await s3.send(copy)).ServerSideEncryption).toBe("AES256");
  });

  test("an object under an SSE-C key can be read only with that key, and its ETag is not the MD5", async () => {
    const Key = "customer";
    const put = await s3.send(new PutObjectCommand({ Bucket, Key, Body: "hello", ...customer(own) }));
    expect(put).toMatchObject({ SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5: own.md5 });
    expect(put.ETag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(put.ETag).not.toContain(md5Of("hello"));
    const got = await s3.send(new GetObjectCommand({ Bucket, Key, ...customer(own) }));
    expect(await got.Body?.transformToString()).toBe("hello");
    expect([got.ETag, got.SSECustomerKeyMD5]).toEqual([put.ETag, own.md5]);
    expect((await s3.send(new HeadObjectCommand({ Bucket, Key, ...customer(own) }))).ETag).toBe(put.ETag);
    const [none, wrong] = [
      new GetObjectCommand({ Bucket, Key }),
      new GetObjectCommand({ Bucket, Key, ...customer(other) }),
    ];
    await expect(s3.send(none)).rejects.toMatchObject({ name: "InvalidRequest" });
    await expect(s3.send(wrong)).rejects.toMatchObject({ name: "AccessDenied" });
  });

  test("a copy is read with the key of its source, and encrypted as requested", async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "source", Body: "hello", ...customer(own) }));
    const source = {
      CopySourceSSECustomerAlgorithm: "AES256",
      CopySourceSSECustomerKey: own.key,
      CopySourceSSECustomerKeyMD5: own.md5,
    };
    const CopySource = `${Bucket}/source`;
    const copied = await s3.send(
      new CopyObjectCommand({ Bucket, Key: "target", CopySource, ...source, ...customer(other) }),
    );
    expect(copied.SSECustomerKeyMD5).toBe(other.md5);
    const got = await s3.send(new GetObjectCommand({ Bucket, Key: "target", ...customer(other) }));
    expect([await got.Body?.transformToString(), got.ETag]).toEqual(["hello", copied.CopyObjectResult?.ETag]);
    const without = new CopyObjectCommand({ Bucket, Key: "target", CopySource });
    await expect(s3.send(without)).rejects.toMatchObject({ name: "InvalidRequest" });
  });

  test("all parts of an upload need its SSE-C key, and so does completing an upload with checksums", async () => {
    const Key = "parts";
    const created = await s3.send(
      new CreateMultipartUploadCommand({ Bucket, Key, ...customer(own), ChecksumAlgorithm: "CRC32" }),
    );
    expect(created).toMatchObject({ SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5: own.md5 });
    const { UploadId } = created;
    const part = { Bucket, Key, UploadId, PartNumber: 1, Body: "hello", ChecksumAlgorithm: "CRC32" } as const;
    for (const refused of [part, { ...part, ...customer(other) }]) {
      await expect(s3.send(new UploadPartCommand(refused))).rejects.toMatchObject({
        $metadata: { httpStatusCode: 400 },
      });
    }
    const { ETag, ChecksumCRC32 } = await s3.send(new UploadPartCommand({ ...part, ...customer(own) }));
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag, ChecksumCRC32 }] };
    const completion = { Bucket, Key, UploadId, MultipartUpload };
    for (const refused of [completion, { ...completion, ...customer(other) }]) {
      await expect(s3.send(new CompleteMultipartUploadCommand(refused))).rejects.toMatchObject({
        name: "InvalidRequest",
      });
    }
    await s3.send(new CompleteMultipartUploadCommand({ ...completion, ...customer(own) }));
    const got = await s3.send(new GetObjectCommand({ Bucket, Key, ...customer(own) }));
    expect(await got.Body?.transformToString()).toBe("hello");
  });

  const presign = (command: GetObjectCommand | PutObjectCommand, signed: string) =>
    getSignedUrl(s3, command, { unhoistableHeaders: new Set([signed]) });
  const keyHeaders = {
    "x-amz-server-side-encryption-customer-algorithm": "AES256",
    "x-amz-server-side-encryption-customer-key": own.key,
    "x-amz-server-side-encryption-customer-key-md5": own.md5,
  };

  test("a presigned address that signs the algorithm leaves the choice of key to the client", async () => {
    const object = { Bucket, Key: "presigned", SSECustomerAlgorithm: "AES256" };
    const [algorithm] = Object.keys(keyHeaders) as [string];
    const putUrl = await presign(new PutObjectCommand(object), algorithm);
    expect((await fetch(putUrl, { method: "PUT", body: "hello", headers: keyHeaders })).status).toBe(200);
    const getUrl = await presign(new GetObjectCommand(object), algorithm);
    expect(await (await fetch(getUrl, { headers: keyHeaders })).text()).toBe("hello");
    // The key cannot be left out, and no other header can be added.
    expect((await fetch(getUrl, { headers: { [algorithm]: "AES256" } })).status).toBe(400);
    const added = { ...keyHeaders, "x-amz-meta-colour": "green" };
    const refused = await fetch(putUrl, { method: "PUT", body: "hello", headers: added });
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining("<HeadersNotSigned>x-amz-meta-colour</HeadersNotSigned>"),
    ]);
  });

  test("a presigned address that does not sign the algorithm accepts no key", async () => {
    const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: "presigned" }));
    const refused = await fetch(url, { headers: keyHeaders });
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining(`<HeadersNotSigned>${Object.keys(keyHeaders).join(", ")}</HeadersNotSigned>`),
    ]);
  });

  test("new objects of a bucket are encrypted by default until that setting is removed", async () => {
    const get = () => s3.send(new GetBucketEncryptionCommand({ Bucket }));
    await expect(get()).rejects.toMatchObject({ name: "ServerSideEncryptionConfigurationNotFoundError" });
    const Rules = [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" as const } }];
    const ServerSideEncryptionConfiguration = { Rules };
    await s3.send(new PutBucketEncryptionCommand({ Bucket, ServerSideEncryptionConfiguration }));
    expect((await get()).ServerSideEncryptionConfiguration?.Rules).toMatchObject(Rules);
    const put = new PutObjectCommand({ Bucket, Key: "default", Body: "hello" });
    expect((await s3.send(put)).ServerSideEncryption).toBe("AES256");
    await s3.send(new DeleteBucketEncryptionCommand({ Bucket }));
    expect((await s3.send(put)).ServerSideEncryption).toBeUndefined();
  });
});

function md5Of(text: string): string {
  return createHash("md5").update(text).digest("hex");
}

describe("by raw requests,", () => {
  let edge: TestEdge;
  beforeAll(async () => {
    edge = await startWireEdge();
  });
  afterAll(() => edge.close());

  const PREFIX = "x-amz-server-side-encryption-customer-";
  const whole = { algorithm: "AES256", key: own.key, "key-md5": own.md5 };
  test.each<[string, Record<string, string | undefined>, string]>([
    ["no algorithm", { ...whole, algorithm: undefined }, "InvalidArgument"],
    ["another algorithm", { ...whole, algorithm: "AES128" }, "InvalidEncryptionAlgorithmError"],
    ["no key", { ...whole, key: undefined }, "InvalidArgument"],
    ["a short key", { ...whole, key: "AAAA" }, "InvalidArgument"],
    ["a key that is not base64", { ...whole, key: `${own.key.slice(0, -2)}*=` }, "InvalidArgument"],
    ["no MD5", { ...whole, "key-md5": undefined }, "InvalidArgument"],
    ["the MD5 of another key", { ...whole, "key-md5": other.md5 }, "InvalidArgument"],
    ["an invalid MD5", { ...whole, "key-md5": "x" }, "InvalidArgument"],
  ])("an SSE-C request with %s is refused, and nothing is stored", async (_, given, code) => {
    const named = Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[PREFIX + name, value]],
    );
    const answer = await exchange(edge, "PUT", "/bucket/refused", {
      body: "hello",
      headers: Object.fromEntries(named),
    });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(`<Code>${code}</Code>`)]);
    expect(answer.body).not.toContain(own.key);
    expect(edge.store.find({ bucket: "bucket", key: "refused" })).toBeUndefined();
  });

  test("encryption under both the vault's keys and an SSE-C key is refused", async () => {
    const headers = {
      "x-amz-server-side-encryption": "AES256",
      ...Object.fromEntries(Object.entries(whole).map(([name, value]) => [PREFIX + name, value])),
    };
    const answer = await exchange(edge, "PUT", "/bucket/both", { body: "hello", headers });
    expect(answer.body).toContain("<Code>InvalidArgument</Code>");
  });

  test.each([
    ["<ServerSideEncryptionConfiguration/>", "MalformedXML"],
    ["<ServerSideEncryptionConfiguration><Rule/></ServerSideEncryptionConfiguration>", "MalformedXML"],
    ["<ServerSideEncryptionConfiguration><Rule>", "MalformedXML"],
  ])("the configuration %s is refused", async (body, code) => {
    const answer = await exchange(edge, "PUT", "/bucket?encryption", { body });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(`<Code>${code}</Code>`)]);
  });
});
