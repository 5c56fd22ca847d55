/** A vault that large objects have filled accepts uploads again once they are deleted. */
import { randomBytes } from "node:crypto";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { readBody } from "../harness/client.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const MIB = 1_048_576;
const Bucket = "full";
const WITHIN_MS = 90_000;

const used = useVault({ amend: (file) => ({ ...file, collection: { graceMs: 1000 } }) });

test("pieces are deleted in a full vault, and their space is reused", {
  timeout: 3 * WITHIN_MS,
}, async () => {
  const { s3 } = used;
  await s3.send(new CreateBucketCommand({ Bucket }));
  const answers: string[] = [];
  /** A vault on a busy machine may also answer SlowDown. */
  const answer = async (request: () => Promise<unknown>): Promise<string> => {
    const name = await request().then(
      () => "done",
      (error: Error) => error.name,
    );
    answers.push(name);
    return name;
  };
  const put = (Key: string) =>
    answer(() => s3.send(new PutObjectCommand({ Bucket, Key, Body: randomBytes(5 * MIB) })));
  const remove = (Key: string) => answer(() => s3.send(new DeleteObjectCommand({ Bucket, Key })));
  const lately = () => answers.slice(-5);
  const keys: string[] = [];
  const isFull = async () => {
    keys.push(`${keys.length}`);
    return (await put(keys.at(-1) as string)) === "InsufficientStorage";
  };
  await until("the vault is full", isFull, WITHIN_MS, lately);
  for (const key of keys) {
    await until(`${key} is deleted`, async () => (await remove(key)) === "done", WITHIN_MS, lately);
  }
  await until("an upload is taken", async () => (await put("again")) === "done", WITHIN_MS, lately);
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: "again" }));
  expect(await readBody(Body)).toHaveLength(5 * MIB);
});
