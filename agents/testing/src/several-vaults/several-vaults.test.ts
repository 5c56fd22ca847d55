/** Two vaults behind one endpoint, added, killed and cut off under load. */
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutObjectTaggingCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { AgentProcess } from "../harness/agent-process.ts";
import { outcomeName, readBody } from "../harness/client.ts";
import { Load, PAUSE_BEFORE_CRASHES_MS as pauseMs } from "../harness/load-clients.ts";
import { VaultPair } from "../harness/vault-pair.ts";
import { until } from "../harness/wait-until.ts";

const Bucket = "photos";
const WITHIN_MS = 60_000;
const MIB = 1_048_576;

let pair: VaultPair;

beforeAll(async () => {
  pair = await VaultPair.create();
  await pair.startFirst();
}, WITHIN_MS);
afterEach(({ task }) => {
  if (task.result?.state === "fail") console.error(pair.output());
});
afterAll(async () => {
  await pair.close();
});

const list = (s3 = pair.s3) => s3.send(new ListObjectsV2Command({ Bucket }));
const put = (Key: string, Body: string | Buffer, more: object = {}) =>
  pair.s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const read = async (Key: string) =>
  (await readBody((await pair.s3.send(new GetObjectCommand({ Bucket, Key }))).Body)).toString();

/** Retries while the vaults are busy or do not answer. */
function patiently<Value>(what: string, work: () => Promise<Value>): Promise<{ value: Value }> {
  const look = async () => {
    try {
      return { value: await work() };
    } catch (error) {
      const { name, code } = error as Error & { code?: string };
      if (name === "SlowDown" || code === "ECONNREFUSED" || code === "ECONNRESET") return null;
      throw error;
    }
  };
  return until(what, look, WITHIN_MS);
}

const oldKeys = Array.from({ length: 24 }, (_, at) => `old-${at}`);

test("a vault serves alone until the other behind its endpoint has joined, and then both get new keys", {
  timeout: 2 * WITHIN_MS,
}, async () => {
  await patiently("a bucket is created", () => pair.s3.send(new CreateBucketCommand({ Bucket })));
  for (const key of oldKeys) await put(key, `first ${key}`, { Tagging: "team=old" });
  await pair.startSecond();
  await pair.untilOpen(["first", "second"]);
  for (const key of oldKeys) expect(await read(key)).toBe(`first ${key}`);
  const { Contents = [] } = await list();
  expect(Contents.map(({ Key }) => Key)).toEqual(oldKeys.toSorted());
});

test("tags are kept when vaults join, and can be replaced in either vault", async () => {
  const name = { Bucket, Key: oldKeys[0] as string };
  const tagged = () => pair.s3.send(new GetObjectTaggingCommand(name));
  const before = await pair.s3.send(new HeadObjectCommand(name));
  expect((await tagged()).TagSet).toEqual([{ Key: "team", Value: "old" }]);
  for (const Key of oldKeys) {
    const Tagging = { TagSet: [{ Key: "team", Value: "new" }] };
    await pair.s3.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging }));
    expect(await read(Key)).toBe(`first ${Key}`);
  }
  const { ETag, LastModified } = await pair.s3.send(new HeadObjectCommand(name));
  expect([(await tagged()).TagSet, ETag, LastModified]).toEqual([
    [{ Key: "team", Value: "new" }],
    before.ETag,
    before.LastModified,
  ]);
});

test("keys are overwritten, deleted, copied and written conditionally in either vault", async () => {
  const [changed, deleted, created] = [oldKeys.slice(0, 8), oldKeys.slice(8, 16), oldKeys.slice(16, 24)];
  for (const key of changed) {
    const { ETag = "" } = await pair.s3.send(new HeadObjectCommand({ Bucket, Key: key }));
    expect(await outcomeName(put(key, "no", { IfMatch: `"${"0".repeat(32)}"` }))).toBe("PreconditionFailed");
    const stored = await put(key, `second ${key}`, { IfMatch: ETag });
    expect(stored.ETag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(await outcomeName(put(key, "no", { IfMatch: ETag }))).toBe("PreconditionFailed");
    expect(await read(key)).toBe(`second ${key}`);
  }
  for (const key of deleted) {
    await pair.s3.send(new DeleteObjectCommand({ Bucket, Key: key }));
    expect(await outcomeName(read(key))).toBe("NoSuchKey");
    expect(await outcomeName(put(key, `new ${key}`, { IfNoneMatch: "*" }))).toBe("done");
    await pair.s3.send(new DeleteObjectCommand({ Bucket, Key: key }));
  }
  for (const key of created) {
    expect(await outcomeName(put(key, "no", { IfNoneMatch: "*" }))).toBe("PreconditionFailed");
    await pair.s3.send(new CopyObjectCommand({ Bucket, Key: `copy-${key}`, CopySource: `${Bucket}/${key}` }));
    expect(await read(`copy-${key}`)).toBe(`first ${key}`);
  }
  const keys: string[] = [];
  for (let token: string | undefined; ; ) {
    const page = await pair.s3.send(
      new ListObjectsV2Command({ Bucket, MaxKeys: 5, ContinuationToken: token }),
    );
    keys.push(...(page.Contents ?? []).map(({ Key = "" }) => Key));
    if (page.IsTruncated !== true) break;
    token = page.NextContinuationToken;
  }
  const expected = [...changed, ...created, ...created.map((key) => `copy-${key}`)];
  expect(keys).toEqual(expected.toSorted());
});

test("a multipart upload through an endpoint of two vaults is read back with its ETag", async () => {
  const bodies = [Buffer.alloc(5 * MIB, 1), Buffer.alloc(1000, 2)];
  const Key = "large";
  const { UploadId } = await pair.s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const parts = [];
  for (const [at, Body] of bodies.entries()) {
    const part = { Bucket, Key, UploadId, PartNumber: at + 1, Body };
    const { ETag } = await pair.s3.send(new UploadPartCommand(part));
    parts.push({ PartNumber: at + 1, ETag });
  }
  const done = { Bucket, Key, UploadId, MultipartUpload: { Parts: parts } };
  await pair.s3.send(new CompleteMultipartUploadCommand(done));
  const { Body, ETag } = await pair.s3.send(new GetObjectCommand({ Bucket, Key }));
  expect(await readBody(Body)).toEqual(Buffer.concat(bodies));
  expect(ETag).toMatch(/^"[0-9a-f]{32}-2"$/);
  await pair.s3.send(new DeleteObjectCommand({ Bucket, Key }));
});

test("while a vault is unreachable lists fail completely, new keys go elsewhere, and replaced versions do not come back", {
  timeout: 3 * WITHIN_MS,
}, async () => {
  const keys = Array.from({ length: 16 }, (_, at) => `away-${at}`);
  for (const key of keys) await put(key, "before");
  await pair.second.kill();
  expect(await outcomeName(list(pair.impatient))).toBe("SlowDown");
  await pair.untilOpen(["first"]);
  expect(await outcomeName(list(pair.impatient))).toBe("SlowDown");
  for (const key of keys.slice(0, 8)) {
    await patiently("a key is written", () => put(key, "after"));
    expect(await read(key)).toBe("after");
  }
  await pair.first.kill(["coordinator-1"]);
  pair.first.start(["coordinator-1"]);
  await pair.first.ready();
  for (const key of keys.slice(0, 8)) {
    expect((await patiently("a key is read", () => read(key))).value).toBe("after");
    const deletion = new DeleteObjectCommand({ Bucket, Key: key });
    await patiently("a key is deleted", () => pair.s3.send(deletion));
    expect(await outcomeName(read(key))).toBe("NoSuchKey");
  }
  await pair.startSecond();
  await pair.untilOpen(["first", "second"]);
  const { value } = await patiently("the keys are listed", () => list());
  const listed = (value.Contents ?? []).flatMap(({ Key = "" }) => (Key.startsWith("away") ? [Key] : []));
  expect(listed).toEqual(keys.slice(8).toSorted());
  for (const key of keys.slice(0, 8)) expect(await outcomeName(read(key))).toBe("NoSuchKey");
});

test("kill -9 of the coordinator and of either vault under load loses nothing and revives nothing", {
  timeout: 4 * WITHIN_MS,
}, async () => {
  const load = new Load({ s3: pair.impatient, bucket: Bucket, concurrency: 3, keysPerClient: 12, pauseMs });
  load.start();
  await load.progress(20);
  await pair.first.kill(["coordinator-1"]);
  pair.first.start(["coordinator-1"]);
  await pair.first.ready();
  await load.progress(20);
  await pair.second.kill();
  await pair.untilOpen(["first"]);
  await load.progress(20);
  await pair.startSecond();
  await pair.untilOpen(["first", "second"]);
  await load.progress(10);
  const drives = pair.first.nodeIds.filter((id) => id !== "coordinator-1");
  await pair.first.kill(drives);
  pair.first.start(drives);
  await pair.first.ready();
  await load.progress(10);
  await load.stop();
  expect(await load.verify()).toEqual([]);
});

test("a vault behind an endpoint is not served alone", { timeout: WITHIN_MS }, async () => {
  await pair.first.kill(["coordinator-1"]);
  const args = ["--config", pair.second.configPath, "--node", "coordinator-1"];
  const alone = new AgentProcess({ args, isSupervised: true });
  const answer = () => pair.second.askAdmin("coordinator-1", "/readyz");
  const isRefused = async () => {
    return (await answer())?.text.includes("is behind the endpoint of the vault first");
  };
  try {
    await until("the vault is refused", async () => (await isRefused()) ?? false, WITHIN_MS, answer);
  } finally {
    await alone.end("SIGTERM");
  }
  pair.first.start(["coordinator-1"]);
  await pair.first.ready();
});

test("a bucket is created and deleted in all vaults", { timeout: 2 * WITHIN_MS }, async () => {
  await patiently("a bucket is created", () => pair.s3.send(new CreateBucketCommand({ Bucket: "other" })));
  const deleteBucket = (name: string) =>
    patiently("a bucket is deleted", () => pair.s3.send(new DeleteBucketCommand({ Bucket: name })));
  expect(await outcomeName(deleteBucket(Bucket))).toBe("BucketNotEmpty");
  await deleteBucket("other");
  const { Buckets = [] } = await pair.s3.send(new ListBucketsCommand({}));
  expect(Buckets.map(({ Name }) => Name)).toEqual([Bucket]);
});
