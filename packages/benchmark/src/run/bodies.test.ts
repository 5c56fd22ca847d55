import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { createBlocks, createBodies, seededBytes } from "./bodies.ts";

test("the same seed yields the same bodies, and another seed, size or position yields other bodies", () => {
  const hashes = [createBodies(1, 10_000), createBodies(2, 10_000), createBodies(1, 10_001)].flatMap(
    (bodies) => bodies.map(({ sha256Hex }) => sha256Hex),
  );
  expect(new Set(hashes).size).toBe(12);
  expect(createBodies(1, 10_000).map(({ sha256Hex }) => sha256Hex)).toEqual(hashes.slice(0, 4));
});

test("bodies cannot be compressed, and their hashes are correct", () => {
  for (const { bytes, md5Hex, sha256Hex } of createBodies(7, 256_000)) {
    expect(bytes).toHaveLength(256_000);
    expect(deflateSync(bytes).length).toBeGreaterThanOrEqual(bytes.length);
    expect(md5Hex).toBe(createHash("md5").update(bytes).digest("hex"));
    expect(sha256Hex).toBe(createHash("sha256").update(bytes).digest("hex"));
  }
});

test("only two bodies of a large size are made, and long ones are one key stream", () => {
  expect(createBodies(3, 67_108_865)).toHaveLength(2);
  const bytes = seededBytes(3, "long", 16_777_300);
  expect(bytes.subarray(0, 16).equals(bytes.subarray(16_777_216, 16_777_232))).toBe(false);
  expect(bytes.subarray(0, 99).equals(seededBytes(3, "long", 99))).toBe(true);
});

test("blocks of a data set are all different and share their memory", () => {
  const blocks = createBlocks(1, 65_536, 200);
  expect(new Set(blocks.map(({ sha256Hex }) => sha256Hex)).size).toBe(200);
  expect(new Set(blocks.map(({ bytes }) => bytes.buffer)).size).toBe(1);
});
