import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type BodyChunk, type BodyHash, type HashPlan, hashHere } from "./body-hash.ts";
import { HashThread } from "./hash-thread.ts";
import { BLOCK_BYTES, BLOCK_COUNT } from "./segmented-body.ts";

const plain = { hasSha256: false, chunks: [] };

const digestOf = (name: string, bytes: Uint8Array): string => createHash(name).update(bytes).digest("hex");

function opened(hash: BodyHash | null): BodyHash {
  if (hash === null) throw new Error("The thread has no blocks left.");
  return hash;
}

test.each([0, 1, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 1_048_576])(
  "digests of %i bytes in pieces equal those of the whole",
  async (size) => {
    const thread = new HashThread();
    const bytes = randomBytes(size);
    const hash = opened(thread.open(size, { hasSha256: true, chunks: [] }));
    for (let at = 0; at < size; at += 65_537) hash.update(bytes.subarray(at, at + 65_537));
    const { md5, sha256, busyMs } = await hash.digest();
    expect(Buffer.from(md5).toString("hex")).toBe(digestOf("md5", bytes));
    expect(Buffer.from(sha256 ?? "").toString("hex")).toBe(digestOf("sha256", bytes));
    expect(busyMs).toBeGreaterThan(0);
    expect(thread.freeCount).toBe(BLOCK_COUNT);
  },
);

test("simultaneous bodies do not mix, and bytes may change after an update", async () => {
  const thread = new HashThread();
  const bodies = Array.from({ length: 8 }, () => randomBytes(600_000));
  const hashes = bodies.map((body) => opened(thread.open(body.length, plain)));
  const wanted = bodies.map((body) => digestOf("md5", body));
  for (let at = 0; at < 600_000; at += 50_000) {
    bodies.forEach((body, i) => {
      const piece = Buffer.from(body.subarray(at, at + 50_000));
      hashes[i]?.update(piece);
      piece.fill(0);
    });
  }
  const results = await Promise.all(hashes.map((hash) => hash.digest()));
  expect(results.map(({ md5 }) => Buffer.from(md5).toString("hex"))).toEqual(wanted);
  expect(results.map(({ sha256 }) => sha256)).toEqual(bodies.map(() => null));
});

test("a body is not accepted without free blocks, and an abandoned body returns its blocks", async () => {
  const thread = new HashThread();
  const hashes = Array.from({ length: BLOCK_COUNT / 4 }, () => opened(thread.open(4 * BLOCK_BYTES, plain)));
  expect(thread.open(1, plain)).toBeNull();
  for (const hash of hashes) hash.update(new Uint8Array(BLOCK_BYTES + 1));
  for (const hash of hashes) hash.abandon();
  const last = opened(thread.open(3, plain));
  last.update(Buffer.from("abc"));
  expect(Buffer.from((await last.digest()).md5).toString("hex")).toBe(digestOf("md5", Buffer.from("abc")));
  expect(thread.freeCount).toBe(BLOCK_COUNT);
});

test("a body larger than announced is refused", () => {
  const hash = opened(new HashThread().open(10, plain));
  expect(() => hash.update(new Uint8Array(BLOCK_BYTES + 1))).toThrow(
    new RangeError("A body is larger than its 10 bytes."),
  );
});

const CHUNK = 16_384;
const cases: readonly (readonly [string, readonly number[]])[] = [
  ["of one size", [65_536, 65_536, 65_536, 65_536, 65_536]],
  ["that end within blocks and segments", [100_000, CHUNK, 200_001, 65_536, 90_000]],
  ["as long as the body", [600_000]],
];

test.each(cases)(
  "chunks %s are hashed here and on the thread, but not what is between them",
  async (_, sizes) => {
    const gapBytes = 777;
    const body = randomBytes(sizes.reduce((sum, size) => sum + size + gapBytes, gapBytes));
    const chunks: BodyChunk[] = [];
    let from = gapBytes;
    for (const size of sizes) {
      chunks.push({ from, to: from + size });
      from += size + gapBytes;
    }
    const wanted = chunks.map(({ from, to }) => digestOf("sha256", body.subarray(from, to)));
    for (const open of [hashHere, (plan: HashPlan) => opened(new HashThread().open(body.length, plan))]) {
      const known: BodyChunk[] = [];
      const hash = open({ hasSha256: true, chunks: known });
      for (let at = 0; at < body.length; at += 50_021) {
        while (chunks[known.length] !== undefined && (chunks[known.length]?.from ?? 0) < at + 50_021)
          known.push(chunks[known.length] as BodyChunk);
        hash.update(body.subarray(at, at + 50_021));
      }
      const { md5, sha256, chunkSha256s } = await hash.digest();
      expect(chunkSha256s.map((digest) => Buffer.from(digest).toString("hex"))).toEqual(wanted);
      expect(Buffer.from(md5).toString("hex")).toBe(digestOf("md5", body));
      expect(Buffer.from(sha256 ?? "").toString("hex")).toBe(digestOf("sha256", body));
    }
  },
);

test("more bodies than the queue has places for are hashed one after another", async () => {
  const thread = new HashThread();
  const bytes = Buffer.alloc(65_536, "a");
  const wanted = digestOf("md5", bytes);
  for (let count = 0; count < 5000; count += 1) {
    const hash = opened(thread.open(bytes.length, plain));
    hash.update(bytes);
    expect(Buffer.from((await hash.digest()).md5).toString("hex")).toBe(wanted);
  }
  expect(thread.freeCount).toBe(BLOCK_COUNT);
});
