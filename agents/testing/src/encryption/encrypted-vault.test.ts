/** Tests an encrypted vault of real processes: what its drives and logs reveal, and how it behaves without its key. */
import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { createEncryptionKeys, newEncryptionKeys } from "@stashlight/node-runtime/config";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, readBody, WITHOUT_RETRIES } from "../harness/client.ts";
import { uploadPath } from "../harness/upload-path.ts";
import { createTestVault, type TestVault } from "../harness/vault.ts";
import { until } from "../harness/wait-until.ts";

const MIB = 1_048_576;
const Bucket = "secret";
/** Occurs in every 4 KiB of every body, and in metadata. */
const MARK = `MARK-${randomBytes(8).toString("hex")}`;
const customerBytes = randomBytes(32);
const SSEC = {
  SSECustomerAlgorithm: "AES256",
  SSECustomerKey: customerBytes.toString("base64"),
  SSECustomerKeyMD5: createHash("md5").update(customerBytes).digest("base64"),
};

let vault: TestVault;
let s3: S3Client;
let keyFile = "";

beforeAll(async () => {
  const encryption = { keyFile: "encryption.key", newBuckets: "AES256" as const };
  vault = await createTestVault({ amend: (file) => ({ ...file, encryption }) });
  keyFile = join(vault.folder, "encryption.key");
  createEncryptionKeys(keyFile, vault.file.clusterId, Date.now());
  vault.start(vault.nodeIds, { mayFormat: true });
  await vault.ready();
  s3 = createClient(vault);
}, 120_000);
afterAll(async () => {
  s3?.destroy();
  await vault?.close();
});

const makeBody = (length: number): Buffer => Buffer.alloc(length, MARK.padEnd(64, "."));
const Metadata = { note: MARK };

async function get(Key: string, more: object = {}): Promise<Buffer> {
  return readBody((await s3.send(new GetObjectCommand({ Bucket, Key, ...more }))).Body);
}

/** Files of the vault that contain a text, on drives and in the logs of its processes. */
function filesWith(text: string): string[] {
  const files = readdirSync(vault.folder, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const found = files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text));
  return vault.output().includes(text) ? [...found, "output of the processes"] : found;
}

test("no segment of a pod or stash device and no log shows a body, metadata or an SSE-C key", async () => {
  await s3.send(new CreateBucketCommand({ Bucket }));
  const sizes: Record<string, number> = { small: 1000, "one-mib": MIB, piece: 2 * MIB, large: 5 * MIB };
  for (const [Key, size] of Object.entries(sizes)) {
    const put = await s3.send(new PutObjectCommand({ Bucket, Key, Body: makeBody(size), Metadata }));
    expect(put.ServerSideEncryption).toBe("AES256");
  }
  await s3.send(new PutObjectCommand({ Bucket, Key: "customer", Body: makeBody(MIB), Metadata, ...SSEC }));
  await s3.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource: `${Bucket}/small` }));
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "parts", Metadata }));
  const part = { Bucket, Key: "parts", UploadId, PartNumber: 1 };
  const { ETag } = await s3.send(new UploadPartCommand({ ...part, Body: makeBody(MIB) }));
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key: "parts", UploadId, MultipartUpload }));
  for (const [Key, size] of Object.entries({ ...sizes, copy: 1000, parts: MIB })) {
    expect((await get(Key)).equals(makeBody(size))).toBe(true);
  }
  expect((await get("customer", SSEC)).equals(makeBody(MIB))).toBe(true);
  expect((await s3.send(new HeadObjectCommand({ Bucket, Key: "large" }))).Metadata).toEqual(Metadata);
  for (const secret of [MARK, customerBytes.toString("base64"), customerBytes.toString("latin1")]) {
    expect(filesWith(secret)).toEqual([]);
  }
  // Names are not encrypted, so the search finds text that is there.
  expect(filesWith("one-mib").length).toBeGreaterThan(0);
});

test("a body of exactly 1 MiB still uses the stash", async () => {
  const upload = { bucket: Bucket, key: "stashed", body: makeBody(MIB) };
  expect(await uploadPath(vault, upload)).toBe("stash");
  expect(await uploadPath(vault, { ...upload, body: makeBody(MIB + 1) })).toBe("direct");
});

async function restartCoordinator(): Promise<void> {
  const [id] = vault.nodeIdsOf("coordinator") as [string];
  await vault.end([id], "SIGTERM");
  vault.start([id]);
  await vault.ready();
}

const problem = async (): Promise<string | null | undefined> => {
  const answer = await vault.askAdmin("coordinator-1", "/healthz");
  return (JSON.parse(answer?.text ?? "{}") as { encryption?: { problem: string | null } }).encryption
    ?.problem;
};

test("a vault without its key or with a wrong one starts, reports that, serves the rest and stores no plain text", async () => {
  const impatient = createClient(vault, WITHOUT_RETRIES);
  const refused = { name: "ServiceUnavailable", $metadata: { httpStatusCode: 503 } };
  const kept = join(vault.folder, "kept.key");
  renameSync(keyFile, kept);
  for (const [isOther, sentence] of [
    [false, /is missing/],
    [true, /does not open the key of the bucket secret/],
  ] as const) {
    if (isOther) writeFileSync(keyFile, newEncryptionKeys(vault.file.clusterId, Date.now()), { mode: 0o600 });
    await restartCoordinator();
    await until(
      "the coordinator says what is wrong",
      async () => sentence.test((await problem()) ?? ""),
      90_000,
      problem,
    );
    await until("its log has the reason", async () => sentence.test(vault.output()), 30_000);
    const mark = `CLEAR-${randomBytes(8).toString("hex")}`;
    const write = new PutObjectCommand({
      Bucket,
      Key: "clear",
      Body: mark.padEnd(1000, "."),
      Metadata: { mark },
    });
    await expect(impatient.send(write)).rejects.toMatchObject(refused);
    await expect(impatient.send(new GetObjectCommand({ Bucket, Key: "small" }))).rejects.toMatchObject(
      refused,
    );
    await expect(impatient.send(new CreateBucketCommand({ Bucket: "another" }))).rejects.toMatchObject(
      refused,
    );
    // SSE-C does not need the vault's key.
    expect((await get("customer", SSEC)).equals(makeBody(MIB))).toBe(true);
    expect(filesWith(mark)).toEqual([]);
  }
  await s3.send(new DeleteObjectCommand({ Bucket, Key: "piece" }));
  renameSync(kept, keyFile);
  await until("the key is back", async () => (await problem()) === null, 90_000, problem);
  expect((await get("small")).equals(makeBody(1000))).toBe(true);
  impatient.destroy();
});
