/** Tests with the MinIO client, which has its own signatures, chunks and XML. */
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type BucketItem, Client } from "minio";
import { beforeAll, expect, test } from "vitest";
import { testKeys } from "../testing/start-edge.ts";
import { useEdge } from "../testing/use-edge.ts";

const BUCKET = "minio";
let client: Client;
const edge = await useEdge();

beforeAll(async () => {
  client = new Client({
    endPoint: "127.0.0.1",
    port: edge.port,
    useSSL: false,
    accessKey: testKeys.writer.id,
    secretKey: testKeys.writer.secret,
    partSize: 5 * 1_048_576,
  });
  await client.makeBucket(BUCKET);
});

test.each([0, 300_000, 11_000_000])("a stream of %i bytes comes back unchanged", async (sizeBytes) => {
  const bytes = randomBytes(sizeBytes);
  const key = `streams/${sizeBytes} ü`;
  await client.putObject(BUCKET, key, Readable.from([bytes]), sizeBytes, { "X-Amz-Meta-Kind": "stream" });
  expect((await buffer(await client.getObject(BUCKET, key))).equals(bytes)).toBe(true);
  expect(await client.statObject(BUCKET, key)).toMatchObject({
    size: sizeBytes,
    metaData: { kind: "stream" },
  });
});

test("a range is served, and a range of an empty object is refused", async () => {
  const bytes = randomBytes(300_000);
  await client.putObject(BUCKET, "ranges/some", bytes);
  await client.putObject(BUCKET, "ranges/none", "");
  const range = await buffer(await client.getPartialObject(BUCKET, "ranges/some", 100_000, 10));
  expect(range.equals(bytes.subarray(100_000, 100_010))).toBe(true);
  await expect(client.getPartialObject(BUCKET, "ranges/none", 0, 10)).rejects.toMatchObject({
    code: "InvalidRange",
  });
});

async function itemsOf(stream: AsyncIterable<unknown>): Promise<BucketItem[]> {
  const items: BucketItem[] = [];
  for await (const item of stream) items.push(item as BucketItem);
  return items;
}

test("objects are listed and removed", async () => {
  for (const key of ["list/a b", "list/c/d", "list/c/e"]) await client.putObject(BUCKET, key, "x");
  const flat = await itemsOf(client.listObjectsV2(BUCKET, "list/", true));
  expect(flat.map(({ name }) => name)).toEqual(["list/a b", "list/c/d", "list/c/e"]);
  const folders = await itemsOf(client.listObjects(BUCKET, "list/", false));
  expect(folders.map(({ name, prefix }) => name ?? prefix).sort()).toEqual(["list/a b", "list/c/"]);
  await client.removeObjects(BUCKET, ["list/a b", "list/c/d", "list/c/e"]);
  expect(await itemsOf(client.listObjectsV2(BUCKET, "list/", true))).toEqual([]);
});

test("presigned addresses of the MinIO client are accepted", async () => {
  const put = await client.presignedPutObject(BUCKET, "presigned/ü (1)!", 60);
  expect((await fetch(put, { method: "PUT", body: "x" })).status).toBe(200);
  const got = await fetch(await client.presignedGetObject(BUCKET, "presigned/ü (1)!", 60));
  expect(await got.text()).toBe("x");
});
