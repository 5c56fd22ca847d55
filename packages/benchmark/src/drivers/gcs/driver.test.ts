import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Driver, FoundObject } from "../../endpoint/driver.ts";
import { testTarget } from "../../testing/index.ts";
import { startTokenServer } from "../../testing/token-server.ts";
import type { Exchange, WireRequest } from "../../wire/connection.ts";
import { createGcsDriver } from "./driver.ts";

let server: Awaited<ReturnType<typeof startTokenServer>>;
let driver: Driver;
beforeAll(async () => {
  server = await startTokenServer();
  const target = testTarget("https://storage.example", { kind: "gcs", tokenAddress: "127.0.0.1" });
  driver = createGcsDriver(target, server.credentials, Date.now);
  await driver.renew(new AbortController().signal);
});
afterAll(() => server.close());

/** Returns the address and headers of a request as sent. */
function headOf({ first }: WireRequest): { url: URL; lines: readonly string[] } {
  const [line = "", ...lines] = first.toString("latin1").split("\r\n\r\n")[0]?.split("\r\n") ?? [];
  return { url: new URL(line.split(" ")[1] ?? "", "https://storage.example"), lines };
}

/** Lists with these pages, and returns the entries found and the page tokens requested. */
async function list(pages: readonly object[]) {
  const asked: (string | null)[] = [];
  const found = driver.listBelow("tests/a b/", async (make) => {
    const { url } = headOf(make());
    expect(url.pathname).toBe("/storage/v1/b/bench/o");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ prefix: "tests/a b/", versions: "true" });
    const page = pages[asked.length];
    asked.push(url.searchParams.get("pageToken"));
    if (page === undefined) throw new Error("A page was asked for that there is not.");
    return { text: JSON.stringify(page) };
  });
  const objects: FoundObject[] = [];
  for await (const page of found) objects.push(...page);
  return { found: objects, asked };
}

const item = (name: string, generation?: string) => ({ name, ...(generation && { generation }) });

test.each([
  ["no token", {}],
  ["an empty token", { nextPageToken: "" }],
])("a list continues until a page has %s", async (_, last) => {
  const { found, asked } = await list([
    { items: [item("a", "1"), item("a", "2")], nextPageToken: "t&1" },
    { nextPageToken: "t2" },
    { items: [item("b")], ...last },
  ]);
  expect(asked).toEqual([null, "t&1", "t2"]);
  expect(found).toEqual([
    { key: "a", versionId: "1" },
    { key: "a", versionId: "2" },
    { key: "b", versionId: null },
  ]);
});

test("a version is deleted by its generation, and an object without one by its name alone", () => {
  const paths = [
    { key: "a/b c", versionId: "17" },
    { key: "a/b c", versionId: null },
  ].map((object) => headOf(driver.delete(object)).url);
  expect(paths.map(({ pathname }) => pathname)).toEqual(Array(2).fill("/storage/v1/b/bench/o/a%2Fb%20c"));
  expect(paths.map(({ searchParams }) => searchParams.get("generation"))).toEqual(["17", null]);
});

test("an upload names its key in the query, and has the token and the length of its body", () => {
  const bytes = Buffer.from("hello");
  const request = driver.put("a/b", { bytes, md5Hex: "", sha256Hex: "" });
  const { url, lines } = headOf(request);
  expect([request.method, url.pathname]).toEqual(["POST", "/upload/storage/v1/b/bench/o"]);
  expect(Object.fromEntries(url.searchParams)).toEqual({ uploadType: "media", name: "a/b" });
  expect(lines).toEqual(expect.arrayContaining(["authorization: Bearer a-token", "content-length: 5"]));
});

const md5 = createHash("md5").update("hello").digest();
test.each<[string, string, { sizeBytes: number | null; md5Hex: string | null }]>([
  [
    "an object's resource",
    `{"size":"5","md5Hash":"${md5.toString("base64")}"}`,
    { sizeBytes: 5, md5Hex: md5.toString("hex") },
  ],
  ["a composed object's resource", '{"size":"5"}', { sizeBytes: 5, md5Hex: null }],
  ["an invalid size", '{"size":"-5"}', { sizeBytes: null, md5Hex: null }],
  ["no JSON", "<html>", { sizeBytes: null, md5Hex: null }],
])("the content of an object is read from %s", (_, body, content) => {
  const result = { kind: "answered", status: 200, headers: new Map() } as const;
  const exchange = { result, responseBody: Buffer.from(body) } as unknown as Exchange;
  expect(driver.contentOf(exchange)).toEqual(content);
});
