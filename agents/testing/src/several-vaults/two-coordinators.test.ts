/** Two coordinators in front of the same two vaults: both see one store, and neither waits for one that is down. */
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createClient, outcomeName, readBody, type S3Client } from "../harness/client.ts";
import { useSecondCoordinator } from "../harness/second-coordinator.ts";
import { VaultPair } from "../harness/vault-pair.ts";
import { until } from "../harness/wait-until.ts";

const Bucket = "photos";
const WITHIN_MS = 90_000;
const KEY_COUNT = 12;

let pair: VaultPair;
let clients: readonly [S3Client, S3Client];

beforeAll(async () => {
  const [inFirst, inSecond] = [await useSecondCoordinator(), await useSecondCoordinator()];
  const { amend } = inFirst;
  pair = await VaultPair.create({ amend, amendSecond: inSecond.amend, processes: "one a node" });
  await pair.startFirst();
  await pair.startSecond();
  clients = [createClient(pair.first), createClient(pair.first, { endpoint: inFirst.endpoint })];
  await pair.untilOpen(["first", "second"]);
}, 2 * WITHIN_MS);
afterEach(({ task }) => {
  if (task.result?.state === "fail") console.error(pair.output());
});
afterAll(async () => {
  for (const client of clients) client.destroy();
  await pair.close();
});

const put = (s3: S3Client, Key: string, Body: string, more: object = {}) =>
  outcomeName(s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more })));
const read = async (s3: S3Client, Key: string) =>
  (await readBody((await s3.send(new GetObjectCommand({ Bucket, Key }))).Body)).toString();
const listKeys = async (s3: S3Client) => {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  return Contents.map(({ Key = "" }) => Key);
};
const names = Array.from({ length: KEY_COUNT }, (_, at) => `key-${at}`);

test("each coordinator reads and lists what the other stored, and only one of two that create the same key succeeds", {
  timeout: 2 * WITHIN_MS,
}, async () => {
  const [one, other] = clients;
  await one.send(new CreateBucketCommand({ Bucket }));
  for (const [at, key] of names.entries()) {
    const writer = at % 2 === 0 ? one : other;
    expect(await put(writer, key, `by ${at}`)).toBe("done");
    expect(await read(at % 2 === 0 ? other : one, key)).toBe(`by ${at}`);
  }
  expect(await listKeys(one)).toEqual(names.toSorted());
  expect(await listKeys(other)).toEqual(names.toSorted());
  for (const key of names) {
    const created = `new-${key}`;
    const only = { IfNoneMatch: "*" };
    const answers = await Promise.all([put(one, created, "one", only), put(other, created, "other", only)]);
    const won = answers.filter((answer) => answer === "done").length;
    // Both are asked to retry if neither can win at once.
    expect(won, String(answers)).toBeLessThanOrEqual(1);
    if (won === 0) expect(await put(one, created, "one", only)).toBe("done");
    expect(await put(other, created, "late", only)).toBe("PreconditionFailed");
    expect(await read(one, created)).toBe(await read(other, created));
  }
});

test("with one coordinator killed the other keeps both vaults working, and the killed one catches up once it is back", {
  timeout: 3 * WITHIN_MS,
}, async () => {
  const [one, other] = clients;
  await pair.first.kill(["coordinator-2"]);
  for (const key of names) expect(await put(one, key, "while it was away")).toBe("done");
  pair.first.start(["coordinator-2"]);
  const isBack = async () => (await outcomeName(listKeys(other))) === "done";
  await until("the second coordinator answers", isBack, WITHIN_MS);
  for (const key of names) expect(await read(other, key)).toBe("while it was away");
  expect(await listKeys(other)).toEqual(await listKeys(one));
});
