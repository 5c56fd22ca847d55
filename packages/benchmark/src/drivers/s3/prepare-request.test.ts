/** Sends requests to the gateway's own S3 edge, which is strict. */
import { S3Client } from "@stashlight/s3/client";
import { startEdge, type TestEdge, testKeys } from "@stashlight/s3/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Asker } from "../../endpoint/asker.ts";
import type { EndpointTarget } from "../../endpoint/target.ts";
import { toUploadBody } from "../../run/bodies.ts";
import { testTarget } from "../../testing/index.ts";
import { createS3Driver } from "./driver.ts";

let edge: TestEdge;
const body = toUploadBody(Buffer.from("a body"));

beforeAll(async () => {
  edge = await startEdge({ baseDomains: ["localhost"] });
  const client = new S3Client({ endpoint: edge.url, region: "us-east-1", accessKey: testKeys.writer });
  await client.createBucket("bench");
  client.close();
});
afterAll(() => edge.close());

function askerOf(more: Partial<EndpointTarget> = {}): Asker {
  const target = testTarget(edge.url, more);
  const credentials = { accessKeyId: testKeys.writer.id, secretAccessKey: testKeys.writer.secret };
  const driver = createS3Driver(target, credentials, Date.now);
  return new Asker({ target, driver, timeoutMs: 20_000, signal: new AbortController().signal });
}

test.each<[string, Partial<EndpointTarget>]>([
  ["path style", {}],
  ["host style", { addressing: "host", url: "http://localhost:1" }],
  ["an unsigned payload", { payloadSigning: "unsigned" }],
  ["headers of its own", { putHeaders: { "x-amz-meta-made-by": "a test" } }],
])("all four methods work with %s and any characters in the key", async (_, more) => {
  const url = more.url === undefined ? edge.url : `http://localhost:${edge.port}`;
  const asker = askerOf({ ...more, url });
  for (const key of ["plain", "a/b c+d&e=f?g#h%20i", "ü/€/😀", "a//b/./../~'()*!"]) {
    const put = await asker.ask((driver) => driver.put(key, body));
    expect(put.failure).toBeNull();
    expect(put.headers.get("etag")).toBe(`"${body.md5Hex}"`);
    const head = await asker.ask((driver) => driver.head(key));
    expect(head.headers.get("content-length")).toBe("6");
    expect(head.headers.get("x-amz-meta-made-by")).toBe(more.putHeaders ? "a test" : undefined);
    expect((await asker.ask((driver) => driver.get(key))).text).toBe("a body");
    expect((await asker.ask((driver) => driver.delete({ key, versionId: null }))).status).toBe(204);
  }
  expect(asker.connection.openedCount).toBe(1);
  asker.close();
});

test("a body arrives whole, whether shorter or longer than the first part", async () => {
  const asker = askerOf();
  for (const sizeBytes of [0, 1, 15_900, 16_000, 16_384, 16_385, 200_000]) {
    const sized = toUploadBody(Buffer.alloc(sizeBytes, 7));
    const put = await asker.ask((driver) => driver.put("sized", sized));
    expect([sizeBytes, put.status, put.headers.get("etag")]).toEqual([sizeBytes, 200, `"${sized.md5Hex}"`]);
  }
  asker.close();
});
