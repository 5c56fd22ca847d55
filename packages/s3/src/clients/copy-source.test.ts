/** The forms of x-amz-copy-source, and bodies that copies do not read. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestEdge } from "../testing/start-edge.ts";
import { exchange, startWireEdge } from "../testing/wire.ts";

let edge: TestEdge;

beforeAll(async () => {
  edge = await startWireEdge();
  const keys = { "a%20b": "space", "a%2Bb": "plus", "%C3%BC": "umlaut", "a%2525": "percent", "a/b": "below" };
  for (const [key, body] of Object.entries(keys)) await exchange(edge, "PUT", `/bucket/${key}`, { body });
});

afterAll(() => edge.close());

async function copy(source: string, body = ""): Promise<{ status: number; copied: string | undefined }> {
  await exchange(edge, "DELETE", "/bucket/copied");
  const { status } = await exchange(edge, "PUT", "/bucket/copied", {
    headers: { "x-amz-copy-source": source },
    body,
  });
  return { status, copied: edge.store.find({ bucket: "bucket", key: "copied" })?.bytes.toString() };
}

test.each([
  ["bucket/a+b", "space"],
  ["/bucket/a+b", "space"],
  ["bucket/a b", "space"],
  ["bucket/a%20b", "space"],
  ["bucket/a%2Bb", "plus"],
  ["bucket%2Fa%2Bb", "plus"],
  ["%2Fbucket%2Fa%2Bb", "plus"],
  ["bucket/%C3%BC", "umlaut"],
  ["bucket/a%2525", "percent"],
  ["bucket/a%2Fb", "below"],
  ["bucket/a+b?versionId=null", "space"],
])("%s is read as the key of %s", async (source, copied) => {
  expect(await copy(source)).toEqual({ status: 200, copied });
});

test.each([
  ["bucket", 400],
  ["bucket/", 400],
  ["/", 400],
  ["bucket/%zz", 400],
  ["bucket/%ff", 400],
  ["bucket/none", 404],
  ["nobucket/a", 404],
  ["https://elsewhere/bucket/a", 400],
  ["arn:aws:s3:us-east-1:123456789012:accesspoint/point/object/a", 501],
  ["bucket/a+b?versionId=1", 501],
])("%s is refused with %i", async (source, status) => {
  expect(await copy(source)).toEqual({ status, copied: undefined });
});

test("a body that comes with a copy is not read, as on AWS", async () => {
  expect(await copy("bucket/a+b", "another content")).toEqual({ status: 200, copied: "space" });
});
