/** Tests hosts: a bucket in front of a domain, a bucket in the path, and ambiguous requests. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { AccessKey } from "../signature/access-key.ts";
import { startEdge, type TestEdge, testKeys } from "../testing/start-edge.ts";
import { exchange, wireTime } from "../testing/wire.ts";

const DOMAIN = "s3.example.org";
const edges: TestEdge[] = [];

async function startWith(
  baseDomains: readonly string[],
  hostNames: readonly string[] = [],
): Promise<TestEdge> {
  const edge = await startEdge({ baseDomains, hostNames, nowMs: () => wireTime.nowMs });
  edges.push(edge);
  for (const bucket of ["album", "photos"]) edge.store.addBucket(bucket);
  return edge;
}

afterAll(() => Promise.all(edges.map((edge) => edge.close())));

interface Sent {
  readonly host: string;
  readonly body?: string;
  readonly key?: AccessKey;
}

const send = (
  edge: TestEdge,
  method: string,
  url: string,
  { host, body = "", key = testKeys.writer }: Sent,
) => exchange(edge, method, url, { headers: { host }, body, key });

describe("below the endpoint's domain,", () => {
  let edge: TestEdge;

  beforeAll(async () => {
    edge = await startWith([DOMAIN]);
  });

  test.each([
    "photos.s3.example.org",
    "photos.s3.example.org:4690",
    "PHOTOS.S3.Example.ORG",
    "photos.s3.example.org.",
  ])("%s addresses the bucket photos, and the path is a key", async (host) => {
    expect((await send(edge, "PUT", "/album/x", { host, body: "here" })).status).toBe(200);
    expect(edge.store.find({ bucket: "photos", key: "album/x" })?.bytes.toString()).toBe("here");
    expect(edge.store.find({ bucket: "album", key: "x" })).toBeUndefined();
    expect((await send(edge, "DELETE", "/album/x", { host })).status).toBe(204);
    expect((await send(edge, "DELETE", "/album", { host })).status).toBe(204);
    expect((await send(edge, "GET", "/album?location", { host: DOMAIN })).status).toBe(200);
  });

  test("the domain itself is path-style, even if a bucket is named like its first label", async () => {
    const other = await startWith(["s3x.example.org"]);
    other.store.addBucket("s3x");
    expect((await send(other, "PUT", "/album/x", { host: "s3x.example.org", body: "here" })).status).toBe(
      200,
    );
    expect(other.store.find({ bucket: "album", key: "x" })?.bytes.toString()).toBe("here");
  });

  test.each([
    ["a domain", ["example.org", "backup.example.org"], []],
    ["a host name", ["example.org"], ["Backup.example.org"]],
  ])(
    "%s below another domain is path-style, even if a bucket is named like its first label",
    async (_, domains, names) => {
      const nested = await startWith(domains, names);
      nested.store.addBucket("backup");
      const host = "backup.example.org";
      expect((await send(nested, "PUT", "/photos/k", { host, body: "here" })).status).toBe(200);
      expect(nested.store.find({ bucket: "photos", key: "k" })?.bytes.toString()).toBe("here");
      expect(nested.store.find({ bucket: "backup", key: "photos/k" })).toBeUndefined();
      expect((await send(nested, "PUT", "/k", { host: "album.example.org", body: "other" })).status).toBe(
        200,
      );
      expect(nested.store.find({ bucket: "album", key: "k" })?.bytes.toString()).toBe("other");
    },
  );

  test("a label that cannot be a bucket name is refused", async () => {
    const answer = await send(edge, "GET", "/", { host: "no_bucket.s3.example.org" });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("InvalidBucketName")]);
  });
});

describe("without a domain of the endpoint,", () => {
  let edge: TestEdge;

  beforeAll(async () => {
    edge = await startWith([], ["photos.internal"]);
    edge.store.addBucket("dotted.name");
  });

  afterEach(() => {
    expect(edge.store.find({ bucket: "album", key: "bad" })).toBeUndefined();
  });

  test.each([
    "127.0.0.1",
    "127.0.0.1:4690",
    "[::1]:4690",
    "localhost",
    "localhost:4690",
    "vault.example.org",
    "photos",
  ])("%s is path-style", async (host) => {
    expect((await send(edge, "PUT", "/album/x", { host, body: host })).status).toBe(200);
    expect(edge.store.find({ bucket: "album", key: "x" })?.bytes.toString()).toBe(host);
  });

  test.each([
    ["PUT", "/album/bad", "photos.s3.example.org"],
    ["DELETE", "/album", "photos.s3.example.org"],
    ["DELETE", "/album", "PHOTOS.s3.example.org.:80"],
    ["GET", "/", "photos.s3.example.org"],
    ["POST", "/album?delete", "photos.s3.example.org"],
    ["PUT", "/album/bad", "dotted.name.s3.example.org"],
    ["PUT", "/vault", "vault.example.org"],
  ])("%s %s for %s is refused with advice", async (method, url, host) => {
    const answer = await send(edge, method, url, { host });
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.stringMatching(/s3\.domains of the coordinators/),
    ]);
    expect((await send(edge, "GET", "/album?location", { host: "localhost" })).status).toBe(200);
  });

  test("another owner's bucket does not prevent the use of a host", async () => {
    const key = testKeys.stranger;
    const host = "photos.s3.example.org";
    expect((await send(edge, "PUT", "/strangers", { host, key })).status).toBe(200);
    expect((await send(edge, "GET", "/strangers", { host, key })).status).toBe(200);
  });

  test("a bucket that a key may not read does not prevent the use of a host", async () => {
    edge.store.addBucket("mine");
    const sent = { host: "photos.s3.example.org", key: testKeys.limited, body: "here" };
    expect((await send(edge, "PUT", "/mine/x", sent)).status).toBe(200);
    expect((await send(edge, "PUT", "/mine/x", { ...sent, host: "mine.s3.example.org" })).status).toBe(400);
  });

  test("a host of 42 labels costs 8 lookups of owners", async () => {
    let lookups = 0;
    const counted = await startEdge({
      nowMs: () => wireTime.nowMs,
      overrides: {
        ownerOfBucket: async (_, { bucket }) => {
          if (bucket !== "album") lookups += 1;
          return "stranger";
        },
      },
    });
    edges.push(counted);
    counted.store.addBucket("album");
    const host = `${"label.".repeat(40)}example.org`;
    await send(counted, "GET", "/album", { host });
    expect(lookups).toBe(8);
  });

  test("a name of the endpoint itself is path-style", async () => {
    expect((await send(edge, "PUT", "/album/x", { host: "photos.internal", body: "own" })).status).toBe(200);
  });

  test("the owners of buckets that a host may name are cached", async () => {
    let lookups = 0;
    let { nowMs } = wireTime;
    const counted = await startEdge({
      nowMs: () => nowMs,
      overrides: {
        ownerOfBucket: async (_, { bucket }) => {
          if (bucket === "vault") lookups += 1;
          return "stashlight";
        },
      },
    });
    edges.push(counted);
    counted.store.addBucket("album");
    for (let i = 0; i < 5; i++) await send(counted, "GET", "/album", { host: "vault.example.org" });
    expect(lookups).toBe(1);
    nowMs += 2001;
    await send(counted, "GET", "/album", { host: "vault.example.org" });
    expect(lookups).toBe(2);
  });
});
