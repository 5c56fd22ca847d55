/** Tests encrypted objects, from the store to the vault's content. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { addEncryptionKey, createEncryptionKeys, newEncryptionKeys } from "@stashlight/node-runtime/config";
import { LARGE_SIZE } from "@stashlight/node-runtime/objects";
import type { CustomerKey, EncryptionRequest, ObjectChecksum, ObjectStore, UploadBody } from "@stashlight/s3";
import { beforeEach, expect, test } from "vitest";
import { destroyKey } from "../encryption/key-care.ts";
import { BLOCK_BYTES } from "../encryption/sealed-blocks.ts";
import { BUCKETS } from "../records/bucket-records.ts";
import { PARTS, UPLOADS } from "../records/multipart-records.ts";
import { PIECES } from "../records/pieces.ts";
import { BUCKET, Coordinators, context, type TestCoordinator } from "../space/testing/coordinators.ts";
import type { StoredObject } from "../vault/objects.ts";

const clusterId = "ab".repeat(16);
const NOW_MS = Date.parse("2026-11-29T12:00:00Z");
/** Holds two and a half blocks. */
const PIECE_BYTES = 2.5 * BLOCK_BYTES;
const attributes = {
  contentType: "text/plain",
  contentHeaders: { "cache-control": "SECRET-HEADER" },
  userMetadata: { colour: "SECRET-COLOUR" },
  tags: [],
};
const precondition = { kind: "none" } as const;
const ALL = { type: "none" } as const;

const folder = useTestFolder();
const keyFile = join(folder, "encryption.key");
let coordinators: Coordinators;
let first: TestCoordinator;

const start = (newBuckets: "AES256" | "none" = "AES256") =>
  coordinators.add({ pieceBytes: PIECE_BYTES, file: { clusterId, encryption: { keyFile, newBuckets } } });

beforeEach(() => {
  createEncryptionKeys(keyFile, clusterId, NOW_MS);
  coordinators = new Coordinators();
  first = start();
});

const customerKey = (fill: number): CustomerKey => {
  const bytes = Buffer.alloc(32, fill);
  return { bytes, md5: createHash("md5").update(bytes).digest("base64") };
};
const byCustomer = (fill: number): EncryptionRequest => ({ kind: "customer", key: customerKey(fill) });

/** Text that can be recognised in any 10 bytes. */
const textOf = (length: number): Buffer => Buffer.alloc(length, "PLAINTEXT-");
const md5Of = (bytes: Buffer) => createHash("md5").update(bytes).digest("hex");

function bodyOf(bytes: Buffer): UploadBody {
  const digests = { etag: md5Of(bytes), checksum: null };
  if (bytes.length <= BLOCK_BYTES) return { kind: "whole", bytes, digests };
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
  };
  return { kind: "stream", sizeBytesMax: bytes.length, chunks: chunks(), verify: async () => digests };
}

interface Written {
  readonly store?: ObjectStore;
  readonly key?: string;
  readonly encryption?: EncryptionRequest;
}

const put = (
  bytes: Buffer,
  { store = first.store, key = "k", encryption = { kind: "default" } }: Written = {},
) =>
  store.putObject(context, {
    bucket: BUCKET,
    key,
    attributes,
    precondition,
    encryption,
    body: bodyOf(bytes),
  });

async function read(
  key = "k",
  {
    store = first.store,
    by = null as CustomerKey | null,
    range = null as { start: number; end: number } | null,
  } = {},
): Promise<Buffer> {
  const reader = await store.getObject(context, { bucket: BUCKET, key, customerKey: by });
  const chunks: Uint8Array[] = [];
  for await (const chunk of reader.read(range ?? { start: 0, end: reader.info.sizeBytes }))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Everything in the vault: bodies and headers of all its buckets. */
async function everythingStored(): Promise<string> {
  const { vault } = coordinators;
  const texts: string[] = [];
  for (const bucket of [BUCKET, PIECES, PARTS, UPLOADS, BUCKETS]) {
    for (const key of vault.keysIn(bucket)) {
      const found = await vault.get(bucket, key);
      texts.push(
        JSON.stringify(found?.upload),
        ...(found?.parts ?? []).map((part) => Buffer.from(part).toString("latin1")),
      );
    }
  }
  return texts.join("\n");
}

const sizes = [0, 1, 1000, BLOCK_BYTES, PIECE_BYTES - 48, PIECE_BYTES, 3 * PIECE_BYTES + 1];

test.each(sizes)("an object of %i bytes comes back, and nothing in the vault reveals it", async (size) => {
  await first.store.createBucket(context, { bucket: BUCKET });
  const bytes = textOf(size);
  const written = await put(bytes);
  expect(written).toMatchObject({ encryption: { kind: "managed" }, etag: null });
  expect((await read()).equals(bytes)).toBe(true);
  const info = await first.store.headObject(context, { bucket: BUCKET, key: "k", customerKey: null });
  expect(info).toMatchObject({ sizeBytes: size, etag: md5Of(bytes), encryption: { kind: "managed" } });
  expect(info.attributes).toMatchObject({ ...attributes, userMetadata: { ...attributes.userMetadata } });
  const { objects } = await first.store.listObjects(context, {
    bucket: BUCKET,
    prefix: "",
    after: "",
    keyCountMax: 10,
  });
  expect(objects).toMatchObject([{ sizeBytes: size, etag: md5Of(bytes) }]);
  const stored = await everythingStored();
  expect(stored).not.toMatch(/PLAINTEXT|SECRET/);
  expect(stored).toContain("text/plain");
});

test("the check of the vault's content detects unencrypted text", async () => {
  first = start("none");
  await first.store.createBucket(context, { bucket: BUCKET });
  await put(textOf(100));
  const stored = await everythingStored();
  for (const text of ["PLAINTEXT", "SECRET-COLOUR", "SECRET-HEADER"]) expect(stored).toContain(text);
});

test.each([
  [0, 1],
  [BLOCK_BYTES - 1, BLOCK_BYTES + 1],
  [PIECE_BYTES - 100, PIECE_BYTES + 100],
  [2 * PIECE_BYTES, 3 * PIECE_BYTES],
])("the range from %i to %i comes back", async (start, end) => {
  await first.store.createBucket(context, { bucket: BUCKET });
  const bytes = Buffer.from(Array.from({ length: 3 * PIECE_BYTES + 7 }, (_, at) => at % 253));
  await put(bytes);
  expect((await read("k", { range: { start, end } })).equals(bytes.subarray(start, end))).toBe(true);
});

test("objects from before the vault encrypted stay readable, and copies of them are encrypted", async () => {
  const before = coordinators.add({ pieceBytes: PIECE_BYTES, file: { clusterId } });
  await before.store.createBucket(context, { bucket: BUCKET });
  expect(await put(textOf(1000), { store: before.store })).toMatchObject({ encryption: { kind: "none" } });
  expect((await read()).equals(textOf(1000))).toBe(true);
  // A bucket keeps its original setting until it is changed.
  expect(await put(textOf(10), { key: "later" })).toMatchObject({ encryption: { kind: "none" } });
  await first.store.writeBucketSetting(context, { bucket: BUCKET, name: "encryption", text: "" });
  expect(await put(await read(), { key: "copy" })).toMatchObject({ encryption: { kind: "managed" } });
  expect((await read("copy")).equals(textOf(1000))).toBe(true);
});

test("an object under an SSE-C key opens with that key alone, and the vault holds nothing of the key", async () => {
  await first.store.createBucket(context, { bucket: BUCKET });
  for (const [key, size] of [
    ["small", 1000],
    ["large", 2 * PIECE_BYTES],
  ] as const) {
    const bytes = textOf(size);
    const { etag } = await put(bytes, { key, encryption: byCustomer(7) });
    expect(etag).toMatch(/^[0-9a-f]{32}$/);
    expect(etag).not.toBe(md5Of(bytes));
    expect((await read(key, { by: customerKey(7) })).equals(bytes)).toBe(true);
    await expect(read(key)).rejects.toMatchObject({ code: "InvalidRequest" });
    await expect(read(key, { by: customerKey(8) })).rejects.toMatchObject({ code: "AccessDenied" });
    const found = await first.store.findObject(context, { bucket: BUCKET, key });
    expect(found).toMatchObject({ etag, sizeBytes: size, attributes: { userMetadata: {} } });
  }
  await put(textOf(1000), { key: "managed" });
  await expect(read("managed", { by: customerKey(7) })).rejects.toMatchObject({ code: "InvalidRequest" });
  const stored = await everythingStored();
  const { bytes, md5 } = customerKey(7);
  for (const secret of [
    bytes.toString("latin1"),
    bytes.toString("base64"),
    bytes.toString("hex"),
    md5,
    md5Of(textOf(1000).subarray(0, 0)),
  ]) {
    expect(stored).not.toContain(secret);
  }
  expect(stored).not.toMatch(/PLAINTEXT|SECRET/);
});

async function uploadParts(parts: readonly Buffer[], encryption: EncryptionRequest, by: CustomerKey | null) {
  const name = { bucket: BUCKET, key: "parts" };
  const { uploadId } = await first.store.createMultipartUpload(context, {
    ...name,
    attributes,
    checksum: null,
    encryption,
  });
  for (const [at, bytes] of parts.entries()) {
    await first.store.putPart(context, {
      ...name,
      uploadId,
      partNumber: at + 1,
      customerKey: by,
      body: bodyOf(bytes),
    });
  }
  return { ...name, uploadId };
}

async function complete(
  name: { bucket: string; key: string; uploadId: string },
  customerKey: CustomerKey | null = null,
  checksum: ObjectChecksum | null = null,
) {
  const { parts } = await first.store.listParts(context, { ...name, afterPartNumber: 0, partCountMax: 100 });
  const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
  const object = { sizeBytes, etag: `e-${parts.length}`, checksum, precondition, completion: "c" };
  return await first.store.completeMultipartUpload(context, { ...name, parts, ...object, customerKey });
}

test.each<[string, EncryptionRequest, CustomerKey | null]>([
  ["the vault's keys", { kind: "default" }, null],
  ["an SSE-C key", byCustomer(7), customerKey(7)],
])("a multipart upload under %s comes back with its metadata", async (_, encryption, by) => {
  await first.store.createBucket(context, { bucket: BUCKET });
  const parts = [textOf(2 * PIECE_BYTES), textOf(PIECE_BYTES), textOf(10)];
  const name = await uploadParts(parts, encryption, by);
  expect(await everythingStored()).not.toMatch(/PLAINTEXT|SECRET/);
  await complete(name);
  expect((await read("parts", { by })).equals(Buffer.concat(parts))).toBe(true);
  const middle = { start: 2 * PIECE_BYTES - 5, end: 3 * PIECE_BYTES + 5 };
  expect((await read("parts", { by, range: middle })).toString()).toBe(
    Buffer.concat(parts).subarray(middle.start, middle.end).toString(),
  );
  const reader = await first.store.getObject(context, { ...name, customerKey: by });
  expect(reader.info.attributes.userMetadata).toEqual({ colour: "SECRET-COLOUR" });
  expect(reader.partSizesBytes).toEqual(parts.map(({ length }) => length));
  expect(await everythingStored()).not.toMatch(/PLAINTEXT|SECRET/);
});

test("a part under a key other than its upload's is refused, and so is a part without a key", async () => {
  await first.store.createBucket(context, { bucket: BUCKET });
  const name = await uploadParts([], byCustomer(7), null);
  for (const by of [null, customerKey(8)]) {
    const part = { ...name, partNumber: 1, customerKey: by, body: bodyOf(textOf(10)) };
    await expect(first.store.putPart(context, part)).rejects.toMatchObject({ code: "InvalidRequest" });
  }
});

test("completing an upload with a checksum requires its key, and another key is never accepted", async () => {
  await first.store.createBucket(context, { bucket: BUCKET });
  const name = await uploadParts([textOf(10)], byCustomer(7), customerKey(7));
  const checksum = { algorithm: "CRC32", type: "COMPOSITE", value: "AAAAAA==-1" } as const;
  await expect(complete(name, customerKey(8))).rejects.toMatchObject({ code: "InvalidRequest" });
  await expect(complete(name, null, checksum)).rejects.toMatchObject({ code: "InvalidRequest" });
  const { encryption } = await complete(name, customerKey(7), checksum);
  expect(encryption).toEqual({ kind: "customer", keyMd5: customerKey(7).md5 });
  const plain = await uploadParts([textOf(10)], { kind: "managed" }, null);
  await expect(complete(plain, customerKey(7))).rejects.toMatchObject({ code: "InvalidRequest" });
});

test("a part under an SSE-C key keeps its ETag when sent again, and different parts have different ETags", async () => {
  await first.store.createBucket(context, { bucket: BUCKET });
  const name = await uploadParts([textOf(10), textOf(10)], byCustomer(7), customerKey(7));
  const etags = async () =>
    (await first.store.listParts(context, { ...name, afterPartNumber: 0, partCountMax: 10 })).parts.map(
      ({ etag }) => etag,
    );
  const [one, two] = await etags();
  expect(one).not.toBe(two);
  for (const [bytes, isSame] of [
    [textOf(10), true],
    [textOf(11), false],
  ] as const) {
    const part = { ...name, partNumber: 1, customerKey: customerKey(7), body: bodyOf(bytes) };
    expect((await first.store.putPart(context, part)).etag === one).toBe(isSame);
  }
});

test("no collector takes the pieces of an encrypted object for garbage, and deleting it frees them", async () => {
  await first.store.createBucket(context, { bucket: BUCKET });
  await put(textOf(3 * PIECE_BYTES));
  const { pieceKeys } = coordinators;
  expect(pieceKeys.length).toBe(4);
  await coordinators.pass(coordinators.timing.sweepGraceMs * 4);
  expect(coordinators.pieceKeys).toEqual(pieceKeys);
  await first.store.deleteObject(context, { bucket: BUCKET, key: "k", precondition });
  await coordinators.pass(coordinators.timing.sweepGraceMs * 4);
  expect(coordinators.pieceKeys).toEqual([]);
  expect(first.failures).toEqual([]);
});

async function find(key: string): Promise<StoredObject> {
  const found = await coordinators.vault.get(BUCKET, key);
  assert(found !== null, `The vault holds ${key}.`);
  return found;
}

test("bytes changed in the vault are never sent", async () => {
  await first.store.createBucket(context, { bucket: BUCKET });
  const { vault } = coordinators;
  await put(textOf(1000), { key: "a" });
  await put(textOf(1000), { key: "b" });
  const [a, b] = [await find("a"), await find("b")];
  const { contentType, etag, userMetadata } = b.upload;
  // Swaps in the body and keys of another object in the same bucket.
  const bytes = Buffer.concat(a.parts);
  const moved = { bucket: BUCKET, key: "b", bytes, etag, contentType, metadata: userMetadata };
  await vault.put(moved, ALL, { requestId: null });
  await expect(read("b")).rejects.toMatchObject({ code: "ObjectUnreadable" });
  await vault.put({ ...moved, metadata: a.upload.userMetadata }, ALL, { requestId: null });
  await expect(read("b")).rejects.toMatchObject({ code: "ObjectUnreadable" });
});

test.each([1000, 2 * PIECE_BYTES])(
  "an encrypted object of %i bytes stays readable after it is tagged",
  async (size) => {
    await first.store.createBucket(context, { bucket: BUCKET });
    await put(textOf(size));
    const tags = [{ key: "colour", value: "green" }];
    await first.store.putObjectTags(context, { bucket: BUCKET, key: "k", tags });
    expect((await read()).equals(textOf(size))).toBe(true);
    const info = await first.store.headObject(context, { bucket: BUCKET, key: "k", customerKey: null });
    expect(info.attributes).toMatchObject({ tags, userMetadata: { ...attributes.userMetadata } });
  },
);

test("a truncated list of pieces is never sent as the object", async () => {
  await first.store.createBucket(context, { bucket: BUCKET });
  await put(textOf(3 * PIECE_BYTES));
  const { upload, parts } = await find("k");
  const { contentType, etag, userMetadata: metadata } = upload;
  const text = Buffer.concat(parts).toString();
  const [, sizeBytes = ""] = /"sizeBytes":(\d+)/.exec(text) ?? [];
  const cut = Buffer.from(text.replace(`"sizeBytes":${sizeBytes}`, `"sizeBytes":${PIECE_BYTES}`));
  await coordinators.vault.put({ bucket: BUCKET, key: "k", bytes: cut, etag, contentType, metadata }, ALL, {
    requestId: null,
  });
  await expect(read("k", { range: { start: 0, end: 10 } })).rejects.toMatchObject({
    code: "ObjectUnreadable",
  });
});

test.each([100, 3 * PIECE_BYTES])(
  "a coordinator of an earlier version takes an encrypted object of %i bytes for a malformed list",
  async (size) => {
    await first.store.createBucket(context, { bucket: BUCKET });
    await put(textOf(size));
    const { upload, parts } = await find("k");
    expect(upload.userMetadata[LARGE_SIZE]).toBe(String(size));
    expect(() => JSON.parse(Buffer.concat(parts).toString())).toThrow(SyntaxError);
  },
);

test("a coordinator without the key refuses encrypted reads and writes, serves the rest, and stores nothing", async () => {
  const plain = coordinators.add({ pieceBytes: PIECE_BYTES, file: { clusterId } });
  await plain.store.createBucket(context, { bucket: "plain" });
  await first.store.createBucket(context, { bucket: BUCKET });
  await put(textOf(1000));
  const before = await everythingStored();
  for (const spoil of [
    () => rmSync(keyFile),
    () => writeFileSync(keyFile, newEncryptionKeys(clusterId, NOW_MS), { mode: 0o600 }),
  ]) {
    spoil();
    const { store } = start();
    await expect(read("k", { store })).rejects.toMatchObject({ code: "ServiceUnavailable" });
    await expect(put(textOf(1000), { store })).rejects.toMatchObject({ code: "ServiceUnavailable" });
    await expect(put(textOf(1000), { store, key: "new" })).rejects.toMatchObject({
      code: "ServiceUnavailable",
    });
    // Nothing is wrapped with a key that does not open existing keys.
    await expect(store.createBucket(context, { bucket: "another" })).rejects.toMatchObject({
      code: "ServiceUnavailable",
    });
    const begun = {
      bucket: BUCKET,
      key: "m",
      attributes,
      checksum: null,
      encryption: { kind: "default" },
    } as const;
    await expect(store.createMultipartUpload(context, begun)).rejects.toMatchObject({
      code: "ServiceUnavailable",
    });
    expect(await everythingStored()).toBe(before);
    const name = { bucket: "plain", key: "k" };
    const body = bodyOf(textOf(10));
    await store.putObject(context, {
      ...name,
      attributes,
      precondition,
      encryption: { kind: "default" },
      body,
    });
    expect((await store.getObject(context, { ...name, customerKey: null })).info.sizeBytes).toBe(10);
    await store.listObjects(context, { bucket: BUCKET, prefix: "", after: "", keyCountMax: 10 });
  }
  await first.store.deleteObject(context, { bucket: BUCKET, key: "k", precondition });
});

test("a vault file without a key never leads to plain objects in an encrypted bucket", async () => {
  await first.store.createBucket(context, { bucket: BUCKET });
  const { store } = coordinators.add({ pieceBytes: PIECE_BYTES, file: { clusterId } });
  await expect(put(textOf(1000), { store })).rejects.toMatchObject({ code: "NotImplemented" });
  await expect(put(textOf(1000), { store, encryption: { kind: "managed" } })).rejects.toMatchObject({
    code: "NotImplemented",
  });
  expect((await put(textOf(1000), { store, encryption: byCustomer(7) })).encryption.kind).toBe("customer");
});

test("two coordinators that encrypt a bucket at the same time give it one key", async () => {
  first = start("none");
  const second = start("none");
  await first.store.createBucket(context, { bucket: BUCKET });
  const managed = { kind: "managed" } as const;
  const stores = [first.store, second.store];
  await Promise.all(
    stores.map((store, at) => put(textOf(100), { store, key: `k${at}`, encryption: managed })),
  );
  for (const store of [...stores, start().store]) {
    for (const at of [0, 1]) expect((await read(`k${at}`, { store })).equals(textOf(100))).toBe(true);
  }
});

test("a multipart upload from before its bucket was recreated cannot be completed", async () => {
  await first.store.createBucket(context, { bucket: BUCKET });
  const name = await uploadParts([textOf(10)], { kind: "default" }, null);
  await first.store.deleteBucket(context, { bucket: BUCKET });
  await first.store.createBucket(context, { bucket: BUCKET });
  await expect(complete(name)).rejects.toMatchObject({ code: "NoSuchUpload" });
});

test("a bucket that becomes encrypted keeps its creation time", async () => {
  first = start("none");
  await first.store.createBucket(context, { bucket: BUCKET });
  const { createdMs } = await first.store.headBucket(context, { bucket: BUCKET });
  await first.store.writeBucketSetting(context, { bucket: BUCKET, name: "encryption", text: "" });
  expect((await first.store.headBucket(context, { bucket: BUCKET })).createdMs).toBe(createdMs);
});

test("a new version of the vault's key wraps the keys of new buckets, and the old one opens earlier keys", async () => {
  await first.store.createBucket(context, { bucket: BUCKET });
  await put(textOf(10));
  addEncryptionKey(keyFile, clusterId, NOW_MS);
  coordinators.nowMs += 1000;
  await first.store.createBucket(context, { bucket: "later" });
  const marker = await coordinators.vault.head(BUCKETS, "later");
  expect(marker?.userMetadata[":bucket-key"]).toMatch(/^1 2 /);
  expect((await read()).equals(textOf(10))).toBe(true);
  expect((await read("k", { store: start().store })).equals(textOf(10))).toBe(true);
});

const removeEncryption = (store: ObjectStore) =>
  store.writeBucketSetting(context, { bucket: BUCKET, name: "encryption", text: null });

test("a bucket without a configuration has the encryption of new buckets", async () => {
  const plain = start("none");
  await plain.store.createBucket(context, { bucket: BUCKET });
  await removeEncryption(first.store);
  expect(await put(textOf(10))).toMatchObject({ encryption: { kind: "managed" } });
  await removeEncryption(plain.store);
  // Other coordinators may cache the marker for two seconds.
  coordinators.nowMs += 2000;
  expect(await put(textOf(10))).toMatchObject({ encryption: { kind: "none" } });
});

test("creating an existing bucket is refused as on AWS, even while the vault's key is missing or the bucket's key is destroyed", async () => {
  await first.store.createBucket(context, { bucket: BUCKET });
  const other = {
    ...context,
    principal: { accessKey: { id: "L", owner: "other" } },
  } as unknown as typeof context;
  const refusesBoth = async ({ store }: TestCoordinator) => {
    const create = (by: typeof context) => store.createBucket(by, { bucket: BUCKET });
    await expect(create(context)).rejects.toMatchObject({ code: "BucketAlreadyOwnedByYou" });
    await expect(create(other)).rejects.toMatchObject({ code: "BucketAlreadyExists" });
  };
  await destroyKey(coordinators.vault, BUCKET);
  await refusesBoth(start());
  await expect(put(textOf(10), start())).rejects.toMatchObject({
    code: "AccessDenied",
    message: expect.stringContaining("Delete the bucket and create it again"),
  });
  rmSync(keyFile);
  await refusesBoth(start());
  await removeEncryption(start().store);
  await expect(start().store.createBucket(context, { bucket: "new" })).rejects.toMatchObject({
    code: "ServiceUnavailable",
  });
});
