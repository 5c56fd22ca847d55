import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { BodyHash } from "./body-hash.ts";
import { HashThread } from "./hash-thread.ts";
import { BLOCK_BYTES } from "./messages.ts";

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
    const hash = opened(thread.open(size, true));
    for (let at = 0; at < size; at += 65_537) hash.update(bytes.subarray(at, at + 65_537));
    const { md5, sha256, busyMs } = await hash.digest();
    expect(Buffer.from(md5).toString("hex")).toBe(digestOf("md5", bytes));
    expect(Buffer.from(sha256 ?? "").toString("hex")).toBe(digestOf("sha256", bytes));
    expect(busyMs).toBeGreaterThan(0);
    expect(thread.freeCount).toBe(32);
  },
);

test("concurrent bodies do not mix, and bytes may change after an update", async () => {
  const thread = new HashThread();
  const bodies = Array.from({ length: 8 }, () => randomBytes(600_000));
  const hashes = bodies.map((body) => opened(thread.open(body.length, false)));
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
  const hashes = Array.from({ length: 8 }, () => opened(thread.open(4 * BLOCK_BYTES, false)));
  expect(thread.open(1, false)).toBeNull();
  for (const hash of hashes) hash.update(new Uint8Array(BLOCK_BYTES + 1));
  for (const hash of hashes) hash.abandon();
  const last = opened(thread.open(3, false));
  last.update(Buffer.from("abc"));
  expect(Buffer.from((await last.digest()).md5).toString("hex")).toBe(digestOf("md5", Buffer.from("abc")));
  expect(thread.freeCount).toBe(32);
});

test("a body larger than announced is refused", () => {
  const hash = opened(new HashThread().open(10, false));
  expect(() => hash.update(new Uint8Array(BLOCK_BYTES + 1))).toThrow(
    new RangeError("A body is larger than its 10 bytes."),
  );
});
