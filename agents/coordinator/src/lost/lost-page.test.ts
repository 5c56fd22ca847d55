import type { UploadHeader } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { recordKey } from "../records/multipart-records.ts";
import { OWNER, PIECES } from "../records/pieces.ts";
import { clientName } from "./describe.ts";
import { lostPage } from "./lost-page.ts";
import { testLost, testShortage, testUpload } from "./testing.ts";

const NOW_MS = 50_000;
const WALL_MS = 1_800_000_000_000;
const pageOf = (lost: ReturnType<typeof testLost>[], max?: number) =>
  lostPage({ lostObjects: () => lost, nowMs: () => NOW_MS, wallMs: () => WALL_MS }, max);

const owner = { [OWNER]: JSON.stringify({ bucket: "photos", key: "film" }) };
const piece = (index: number, readableCount: number, userMetadata: Record<string, string> = owner) =>
  testShortage(
    { uploadId: `p${index}`, bucket: PIECES, key: `x/0000000${index}`, sizeBytes: 100, userMetadata },
    { readableCount },
  );

test("lost objects are listed newest first, with wall-clock times and the fault", () => {
  const older = testLost(testShortage({ uploadId: "a" }), NOW_MS - 5000);
  const newer = testLost(testShortage({ uploadId: "b" }), NOW_MS - 1000);
  const { total, objects } = pageOf([older, newer]);
  expect(total).toBe(2);
  expect(objects.map(({ uploadId, sinceMs }) => [uploadId, sinceMs])).toEqual([
    ["b", WALL_MS - 1000],
    ["a", WALL_MS - 5000],
  ]);
  expect(objects[0]).toEqual({
    uploadId: "b",
    part: "object",
    bucket: "photos",
    key: "cat",
    pieceCount: 0,
    sizeBytes: 9,
    etag: "e",
    readableCount: 4,
    neededCount: 16,
    shardCount: 20,
    sinceMs: WALL_MS - 1000,
    damagedPods: [3, 7],
    unreadablePods: [],
    missingPods: [],
    silentPods: [],
  });
});

test("the list is limited, but the total is not", () => {
  const lost = Array.from({ length: 7 }, (_, at) => testLost(testShortage({ uploadId: `${at}` }), at));
  const { total, objects } = pageOf(lost, 3);
  expect(total).toBe(7);
  expect(objects.map(({ uploadId }) => uploadId)).toEqual(["6", "5", "4"]);
});

test("pieces of one object are one entry, with the shards of the worst piece", () => {
  const lost = [testLost(piece(0, 9), 3), testLost(piece(1, 4), 7), testLost(piece(2, 8), 5)];
  const { total, objects } = pageOf(lost);
  expect(total).toBe(1);
  expect(objects[0]).toMatchObject({
    part: "piece",
    bucket: "photos",
    key: "film",
    pieceCount: 3,
    sizeBytes: 300,
    uploadId: "p1",
    readableCount: 4,
    sinceMs: WALL_MS - NOW_MS + 3,
  });
});

test("pieces that name no object are separate entries", () => {
  const { total, objects } = pageOf([testLost(piece(0, 4, {})), testLost(piece(1, 4, { [OWNER]: "{" }))]);
  expect(total).toBe(2);
  expect(objects.every(({ bucket, key, part }) => part === "piece" && bucket === null && key === null)).toBe(
    true,
  );
});

const upload = { bucket: "photos", key: "film", uploadId: "m" };
test.each<[string, Partial<UploadHeader>, object]>([
  ["a client's object", {}, { part: "object", bucket: "photos", key: "cat" }],
  ["a piece", { bucket: PIECES, userMetadata: owner }, { part: "piece", bucket: "photos", key: "film" }],
  [
    "an unfinished upload",
    { bucket: ".uploads", key: recordKey(upload) },
    { part: "record", bucket: "photos", key: "film" },
  ],
  ["any other record", { bucket: ".leases", key: "c-1" }, { part: "record", bucket: null, key: null }],
])("internal buckets are never named: %s", (_, header, name) => {
  expect(clientName(testUpload(header))).toEqual(name);
});
