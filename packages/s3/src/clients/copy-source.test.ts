/** Tests the forms of x-amz-copy-source, copies onto themselves, and bodies that copies do not read. */
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { useWireEdge } from "../testing/use-edge.ts";
import { exchange } from "../testing/wire.ts";

const edge = await useWireEdge();

beforeAll(async () => {
  const keys = { "a%20b": "space", "a%2Bb": "plus", "%C3%BC": "umlaut", "a%2525": "percent", "a/b": "below" };
  for (const [key, body] of Object.entries(keys)) await exchange(edge, "PUT", `/bucket/${key}`, { body });
});

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
])("x-amz-copy-source %s names the object with the content %s", async (source, copied) => {
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
])("x-amz-copy-source %s is refused with %i", async (source, status) => {
  expect(await copy(source)).toEqual({ status, copied: undefined });
});

test("a body sent with a copy is not read, as on AWS", async () => {
  expect(await copy("bucket/a+b", "another content")).toEqual({ status: 200, copied: "space" });
});

describe("a copy of an object onto itself", () => {
  const bytes = Buffer.alloc(32, 1);
  const customer = (prefix: string) => {
    const names = `x-amz-${prefix}server-side-encryption-customer-`;
    return {
      [`${names}algorithm`]: "AES256",
      [`${names}key`]: bytes.toString("base64"),
      [`${names}key-md5`]: createHash("md5").update(bytes).digest("base64"),
    };
  };
  const onto = (url: string, headers: Record<string, string>) =>
    exchange(edge, "PUT", url, { headers: { "x-amz-copy-source": url, ...headers } });

  test.each<[string, Record<string, string>, number]>([
    ["nothing new", {}, 400],
    ["other tags alone", { "x-amz-tagging-directive": "REPLACE", "x-amz-tagging": "a=1" }, 400],
    ["new metadata", { "x-amz-metadata-directive": "REPLACE" }, 200],
    ["a storage class", { "x-amz-storage-class": "STANDARD" }, 200],
    ["encryption by the vault", { "x-amz-server-side-encryption": "AES256" }, 200],
    ["an SSE-C key", customer(""), 200],
  ])("with %s is answered %i", async (_, headers, status) => {
    await exchange(edge, "PUT", "/bucket/itself", { body: "content" });
    expect((await onto("/bucket/itself", headers)).status).toBe(status);
    expect(edge.store.find({ bucket: "bucket", key: "itself" })?.bytes.toString()).toBe("content");
  });

  test("may keep the SSE-C key, or drop it", async () => {
    await exchange(edge, "PUT", "/bucket/sealed", { body: "content", headers: customer("") });
    expect((await onto("/bucket/sealed", { ...customer("copy-source-"), ...customer("") })).status).toBe(200);
    expect((await onto("/bucket/sealed", customer("copy-source-"))).status).toBe(200);
    expect((await exchange(edge, "GET", "/bucket/sealed")).body).toBe("content");
  });

  test("is encrypted if its bucket encrypts by default", async () => {
    await exchange(edge, "PUT", "/encrypting");
    await exchange(edge, "PUT", "/encrypting/k", { body: "content" });
    const rule =
      "<Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm></ApplyServerSideEncryptionByDefault></Rule>";
    const body = `<ServerSideEncryptionConfiguration>${rule}</ServerSideEncryptionConfiguration>`;
    expect((await exchange(edge, "PUT", "/encrypting?encryption", { body })).status).toBe(200);
    const { status, headers } = await onto("/encrypting/k", {});
    expect([status, headers.get("x-amz-server-side-encryption")]).toEqual([200, "AES256"]);
  });
});
