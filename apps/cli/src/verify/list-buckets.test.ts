import type { LostObject } from "@stashlight/contracts/lost-object";
import { testLostObject } from "@stashlight/contracts/testing";
import { S3Error } from "@stashlight/s3";
import { S3Client } from "@stashlight/s3/client";
import { startEdge, type TestEdge, type TestEdgeOptions, testKeys } from "@stashlight/s3/testing";
import { afterEach, expect, test } from "vitest";
import { checkObject } from "./check-object.ts";
import { listAll } from "./list-buckets.ts";
import { nameLost } from "./name-lost.ts";
import { renderVerification } from "./render.ts";
import { isGood, type Verification } from "./verification.ts";

let edge: TestEdge;
let client: S3Client;
afterEach(async () => {
  client.close();
  await edge.close();
});

async function open(overrides: NonNullable<TestEdgeOptions["overrides"]> = {}): Promise<void> {
  edge = await startEdge({ overrides });
  client = new S3Client({ endpoint: edge.url, region: "us-east-1", accessKey: testKeys.writer });
  await client.createBucket("listed");
  await client.putObject({ bucket: "listed", key: "k", body: Buffer.from("body") });
}

const list = async (bucket: string | null, ...withObjects: string[]) => {
  const found: string[] = [];
  const lost = await listAll(client, { bucket, withObjects: new Set(withObjects) }, (name, key) => {
    found.push(`${name}/${key}`);
  });
  return { found, lost };
};

test("reports an unlisted bucket as lost if objects of it exist", async () => {
  await open();
  expect(await list(null, "listed", "gone")).toEqual({
    found: ["listed/k"],
    lost: [{ bucket: "gone", why: "it does not exist, but objects in it do" }],
  });
  expect((await list("gone", "gone")).lost).toMatchObject([{ bucket: "gone" }]);
});

test("reports a requested but unknown bucket as nonexistent", async () => {
  await open();
  await expect(list("gone")).rejects.toMatchObject({ code: "NoSuchBucket" });
});

test("names a bucket whose list is refused", async () => {
  await open({ listObjects: () => Promise.reject(new S3Error("AccessDenied")) });
  expect(await list(null)).toEqual({
    found: [],
    lost: [{ bucket: "listed", why: "its objects cannot be listed (AccessDenied)" }],
  });
});

test("recognises an object with too few readable shards after three reads", async () => {
  let reads = 0;
  const getObject = () => {
    reads += 1;
    return Promise.reject(new S3Error("ObjectUnreadable", "4 of the object's 20 shards can be read."));
  };
  await open({ getObject });
  const object = { bucket: "listed", key: "k", expectation: undefined };
  expect(await checkObject(client, object)).toEqual({
    type: "unreadable",
    why: "4 of the object's 20 shards can be read.",
  });
  expect(reads).toBe(3);
});

test("takes the reason for an unreadable object from the coordinators, even if its body broke off", async () => {
  await open();
  const why = "4 of 20 shards readable, 16 needed; damaged on p3, p7";
  const piece: LostObject = { ...testLostObject, uploadId: "p", part: "piece", key: "film", pieceCount: 1 };
  const named = nameLost(
    [
      { bucket: "photos", key: "cat", type: "unreadable", why: "Too few." },
      { bucket: "photos", key: "film", type: "lost", why: "it cannot be read (ECONNRESET)" },
      { bucket: "photos", key: "gone", type: "lost", why: "it was acknowledged and does not exist" },
      { bucket: "photos", key: "well", type: "right", etag: "e", sizeBytes: 9, isCompared: true },
    ],
    { objects: [testLostObject, piece] },
  );
  expect(named.map((entry) => [entry.type, "why" in entry ? entry.why : null])).toEqual([
    ["unreadable", why],
    ["unreadable", `of a piece ${why}`],
    ["lost", "it was acknowledged and does not exist"],
    ["right", null],
  ]);
});

const verification: Verification = {
  rightCount: 5,
  uncomparedCount: 0,
  absentCount: 0,
  wrong: [],
  unmeasuredCount: 0,
  silentNodeIds: [],
  lost: [{ bucket: "photos", key: "gone", why: "it was acknowledged and does not exist" }],
  unreadable: Array.from({ length: 30 }, (_, at) => ({ bucket: "photos", key: `${at}`, why: "4 of 20" })),
  lostBuckets: [{ bucket: "films", why: "it does not exist, but objects in it do" }],
  objectCountByDurableShards: new Map(),
  weakest: null,
};

test("states that the margin covers only the remaining objects", async () => {
  await open();
  const object = { bucket: "photos", key: "left" };
  const weakest = { object, durableShardCount: 20 } as Verification["weakest"];
  const measured = { ...verification, weakest, objectCountByDurableShards: new Map([[20, 5]]) };
  expect(renderVerification(measured, { dataShardCount: 16, parityShardCount: 4 })).toEqual(
    expect.arrayContaining([
      "Durable shards of the objects that are not lost, of 20: 20: 5 objects.",
      "Least margin among these 4: photos/left has 20 and needs 16.",
    ]),
  );
});

test("names every unreadable object and lost bucket, and counts them separately from missing ones", async () => {
  await open();
  const lines = renderVerification(verification, { dataShardCount: 16, parityShardCount: 4 });
  expect(lines[0]).toBe("36 objects checked: 5 right, 31 lost (30 unreadable, 1 missing), 0 wrong.");
  expect(lines).toContain("  lost bucket: films: it does not exist, but objects in it do");
  expect(lines.filter((line) => /^ {2}lost: photos\/\d+: 4 of 20$/.test(line))).toHaveLength(30);
});

test.each<[string, Partial<Verification>, boolean]>([
  ["no problem is found", {}, true],
  ["an object is unreadable", { unreadable: verification.unreadable }, false],
  ["a bucket is lost", { lostBuckets: verification.lostBuckets }, false],
])("judges a verification in which %s", async (_, difference, isWell) => {
  await open();
  const well = { ...verification, lost: [], unreadable: [], lostBuckets: [] };
  expect(isGood({ ...well, ...difference })).toBe(isWell);
});
