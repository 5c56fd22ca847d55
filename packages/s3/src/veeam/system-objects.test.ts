import { GetObjectCommand, HeadObjectCommand } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { awsClientOf } from "../testing/aws-client.ts";
import { startEdge, testKeys } from "../testing/start-edge.ts";
import { useEdge } from "../testing/use-edge.ts";
import { exchange, wireTime } from "../testing/wire.ts";
import { CAPACITY_KEY, type StoreSpace, SYSTEM_KEY } from "./system-objects.ts";

const SPACE: StoreSpace = { capacityBytes: 10_000, availableBytes: 7_000 };
const SYSTEM = `/bucket/${SYSTEM_KEY}`;
const CAPACITY = `/bucket/${CAPACITY_KEY}`;
let space: StoreSpace | null = SPACE;
const edge = await useEdge({ nowMs: () => wireTime.nowMs, findSpace: () => space });
edge.store.addBucket("bucket");

function textOf(name: string, xml: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

describe("Veeam reads", () => {
  test("the capabilities of the store", async () => {
    const { status, headers, body } = await exchange(edge, "GET", SYSTEM);
    expect([status, headers.get("content-type")]).toEqual([200, "application/xml"]);
    expect(body).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<SystemInfo>/);
    const names = ["ProtocolVersion", "ModelName", "CapacityInfo", "UploadSessions", "IAMSTS"];
    expect(names.map((name) => textOf(name, body))).toEqual([
      "&quot;1.0&quot;",
      "&quot;Stashlight&quot;",
      "true",
      "false",
      "false",
    ]);
  });

  test("the current space of the store", async () => {
    const read = async () => {
      const { body } = await exchange(edge, "GET", CAPACITY);
      return ["Capacity", "Available", "Used"].map((name) => textOf(name, body));
    };
    expect(await read()).toEqual(["10000", "7000", "3000"]);
    space = { capacityBytes: 10_000, availableBytes: 0 };
    expect(await read()).toEqual(["10000", "0", "10000"]);
    space = SPACE;
  });

  test.each([SYSTEM_KEY, CAPACITY_KEY])("%s by HEAD with the length and ETag of a GET", async (Key) => {
    const current = await startEdge({ findSpace: () => SPACE });
    current.store.addBucket("bucket");
    const client = awsClientOf(current);
    const got = await client.send(new GetObjectCommand({ Bucket: "bucket", Key }));
    const head = await client.send(new HeadObjectCommand({ Bucket: "bucket", Key }));
    const text = (await got.Body?.transformToString()) ?? "";
    expect([got.ContentLength, head.ContentLength]).toEqual([text.length, text.length]);
    expect(head.ETag).toBe(got.ETag);
    client.destroy();
    await current.close();
  });

  test("a range of each object", async () => {
    const { status, body } = await exchange(edge, "GET", SYSTEM, { headers: { range: "bytes=0-4" } });
    expect([status, body]).toEqual([206, "<?xml"]);
  });

  test.each([
    ["a bucket that does not exist", `/other/${SYSTEM_KEY}`, testKeys.writer, 404, "NoSuchBucket"],
    ["another owner's bucket", SYSTEM, testKeys.stranger, 403, "AccessDenied"],
    [
      "a key in another case",
      SYSTEM.toUpperCase().replace("/BUCKET/", "/bucket/"),
      testKeys.writer,
      404,
      "NoSuchKey",
    ],
    ["the folder", `/bucket/${SYSTEM_KEY.split("/")[0]}/`, testKeys.writer, 404, "NoSuchKey"],
  ])("nothing of %s", async (_, url, key, status, code) => {
    const answer = await exchange(edge, "GET", url, { key });
    expect([answer.status, textOf("Code", answer.body)]).toEqual([status, code]);
  });
});

test("the space is absent while unknown, and the capabilities are still served", async () => {
  space = null;
  const statuses = await Promise.all(
    [CAPACITY, SYSTEM].map(async (url) => (await exchange(edge, "GET", url)).status),
  );
  space = SPACE;
  expect(statuses).toEqual([404, 200]);
});

test("the objects appear in no list, and a bucket that holds only them can be deleted", async () => {
  edge.store.addBucket("empty");
  for (const query of ["list-type=2", "versions", `prefix=${encodeURIComponent(SYSTEM_KEY)}`]) {
    expect((await exchange(edge, "GET", `/empty?${query}`)).body).not.toContain("<Key>");
  }
  expect((await exchange(edge, "DELETE", "/empty")).status).toBe(204);
});

describe("a client cannot write Veeam's objects", () => {
  const copy = { "x-amz-copy-source": `/bucket/${SYSTEM_KEY}` };
  test.each([
    ["by an upload", "PUT", CAPACITY, { body: "x" }],
    ["by a multipart upload", "POST", `${SYSTEM}?uploads`, {}],
    ["by a copy", "PUT", CAPACITY, { headers: copy }],
  ])("by %s", async (_, method, url, options) => {
    const answer = await exchange(edge, method, url, options);
    expect([answer.status, textOf("Code", answer.body)]).toEqual([403, "AccessDenied"]);
    expect(edge.store.find({ bucket: "bucket", key: CAPACITY_KEY })).toBeUndefined();
  });

  test("but can write and read other keys of their folder", async () => {
    const url = `/bucket/${SYSTEM_KEY}.bak`;
    expect((await exchange(edge, "PUT", url, { body: "own" })).status).toBe(200);
    expect((await exchange(edge, "GET", url)).body).toBe("own");
  });

  test("deleting them has no effect", async () => {
    expect((await exchange(edge, "DELETE", SYSTEM)).status).toBe(204);
    expect((await exchange(edge, "GET", SYSTEM)).status).toBe(200);
  });
});
