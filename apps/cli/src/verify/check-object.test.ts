import { createHash } from "node:crypto";
import { S3Error } from "@stashlight/s3";
import { S3Client } from "@stashlight/s3/client";
import { startEdge, type TestEdge, type TestEdgeOptions, testKeys } from "@stashlight/s3/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CheckedObject, checkObject } from "./check-object.ts";

const body = Buffer.from("what was written");
const md5 = createHash("md5").update(body).digest("hex");

let edge: TestEdge;
let client: S3Client;

beforeEach(() => open({}));
afterEach(close);

async function open(overrides: NonNullable<TestEdgeOptions["overrides"]>): Promise<void> {
  edge = await startEdge({ overrides });
  client = new S3Client({ endpoint: edge.url, region: "us-east-1", accessKey: testKeys.writer });
  await client.createBucket("bucket");
}

async function close(): Promise<void> {
  client.close();
  await edge.close();
}

const check = (key: string, allowed?: (string | null)[]): Promise<CheckedObject> => {
  const name = { bucket: "bucket", key };
  const expectation = allowed === undefined ? undefined : { ...name, allowed: new Set(allowed) };
  return checkObject(client, { ...name, expectation });
};

test.each<[string, (string | null)[] | undefined, object]>([
  ["listed", undefined, { type: "right", etag: md5, sizeBytes: body.length, isCompared: true }],
  ["acknowledged", [md5], { type: "right" }],
  ["one of several outcomes", [null, "other", md5], { type: "right" }],
  ["deleted and back again", [null], { type: "wrong" }],
  [
    "an older version",
    ["newer"],
    { type: "wrong", why: `it has the ETag ${md5}, but newer was acknowledged` },
  ],
])("checks an existing object: %s", async (_, allowed, result) => {
  await client.putObject({ bucket: "bucket", key: "k", body });
  expect(await check("k", allowed)).toMatchObject(result);
});

test.each<[string, (string | null)[] | undefined, CheckedObject["type"]]>([
  ["deleted since it was listed", undefined, "absent"],
  ["never acknowledged", [null, md5], "absent"],
  ["acknowledged", [md5], "lost"],
])("checks a missing object: %s", async (_, allowed, type) => {
  expect((await check("k", allowed)).type).toBe(type);
});

test("reports bytes that do not match the ETag as wrong", async () => {
  await client.putObject({ bucket: "bucket", key: "k", body });
  const { store } = edge;
  await close();
  await open({
    getObject: async (context, request) => ({
      ...(await store.getObject(context, request)),
      read: () => bytes("what was WRITTEN"),
    }),
  });
  expect(await check("k")).toMatchObject({ type: "wrong", why: expect.stringContaining(md5) });
});

async function* bytes(text: string) {
  yield Buffer.from(text);
}

test.each([
  ["an SSE-C key", "InvalidRequest"],
  ["a destroyed key", "AccessDenied"],
] as const)("reports an object under %s as present but not compared", async (_, code) => {
  await client.putObject({ bucket: "bucket", key: "k", body });
  const { store } = edge;
  await close();
  await open({
    getObject: async () => {
      throw new S3Error(code);
    },
    listObjects: store.listObjects,
  });
  expect(await check("k")).toEqual({ type: "right", etag: md5, sizeBytes: body.length, isCompared: false });
});

test("a bucket of another owner ends the check with the reason", async () => {
  const refuse = async () => {
    throw new S3Error("AccessDenied");
  };
  await close();
  await open({ getObject: refuse, listObjects: refuse });
  await expect(check("k")).rejects.toMatchObject({ code: "AccessDenied" });
});
