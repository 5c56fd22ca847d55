import { createSecretKey, hash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  BLOCK_BYTES,
  openPiece,
  type PiecePlace,
  plainSizeWithin,
  SealError,
  sealedSize,
  sealPiece,
  TAG_BYTES,
} from "./sealed-blocks.ts";

const SEALED_BLOCK_BYTES = BLOCK_BYTES + TAG_BYTES;
const key = createSecretKey(Buffer.from(Array.from({ length: 32 }, (_, at) => at)));
const placeOf = (piece = 0): PiecePlace => ({ key, piece });

function open(place: PiecePlace, sealed: Uint8Array, plainBytes: number): Buffer {
  return Buffer.concat([...openPiece(place, { parts: [sealed], plainBytes }, { start: 0, end: plainBytes })]);
}

/** Bytes that differ between blocks. */
function plainOf(length: number): Buffer {
  return Buffer.alloc(length).map((_, at) => at % 251) as Buffer;
}

/** The expected bytes come from another implementation (cryptography 50.0.2 for Python) of the documented format. */
test.each([
  ["a body that is stored whole", placeOf(), "7dc8d4addd40eada60dcf2e4a8894ad1b56e00655a61c9426949"],
  ["the eighth piece of a body", placeOf(7), "2c93b5f212444aec87a6d9d0bb3e284cad39ca6e29947fd130c2"],
])("%s is sealed as the format specifies", (_, place, sealed) => {
  expect(sealPiece(place, Buffer.from("stashlight")).toString("hex")).toBe(sealed);
});

test("a body of two blocks is sealed as the format specifies", () => {
  const plain = Buffer.concat([Buffer.alloc(BLOCK_BYTES), Buffer.from("end")]);
  const sealed = sealPiece(placeOf(), plain);
  const expected = "783cc82ed3549155921a60ed38f47e4636baf8d6b03ac239295ea82595a0adb7";
  expect(hash("sha256", sealed)).toBe(expected);
});

const sizes = [1, 15, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 2 * BLOCK_BYTES, 3 * BLOCK_BYTES + 17];

test.each(sizes)(
  "a sealed piece of %i bytes is larger by one tag per block, and opens to the same bytes",
  (size) => {
    const plain = plainOf(size);
    const sealed = sealPiece(placeOf(), plain);
    expect(sealed.length).toBe(sealedSize(size));
    expect(sealed.length).toBe(size + Math.ceil(size / BLOCK_BYTES) * TAG_BYTES);
    expect(open(placeOf(), sealed, size).equals(plain)).toBe(true);
  },
);

test("sealing takes only the memory of the sealed piece, even before any garbage collection", () => {
  const plain = randomBytes(64 * BLOCK_BYTES);
  const before = process.memoryUsage().arrayBuffers;
  const sealed = sealPiece(placeOf(), plain);
  const taken = process.memoryUsage().arrayBuffers - before;
  expect(taken).toBeLessThan(sealed.length + 2 * BLOCK_BYTES);
});

test("an empty body takes no space and comes back empty", () => {
  expect(sealPiece(placeOf(), Buffer.alloc(0)).length).toBe(0);
  expect(open(placeOf(), Buffer.alloc(0), 0).length).toBe(0);
});

test("any range opens from any chunks of the sealed piece, and no other block is decrypted", () => {
  const size = 3 * BLOCK_BYTES + 1000;
  const plain = plainOf(size);
  const sealed = sealPiece(placeOf(), plain);
  const point = fc.integer({ min: 0, max: size });
  const property = fc.property(point, point, fc.integer({ min: 1, max: 20 }), (a, b, count) => {
    const range = { start: Math.min(a, b), end: Math.max(a, b) };
    const damaged = Buffer.from(sealed);
    const [first, last] = [Math.floor(range.start / BLOCK_BYTES), Math.ceil(range.end / BLOCK_BYTES)];
    for (let block = 0; block * SEALED_BLOCK_BYTES < sealed.length; block += 1) {
      if (block < first || block >= last)
        damaged[block * SEALED_BLOCK_BYTES] = ~(damaged[block * SEALED_BLOCK_BYTES] as number);
    }
    const step = Math.ceil(damaged.length / count);
    const parts = Array.from({ length: count }, (_, at) => damaged.subarray(at * step, (at + 1) * step));
    const opened = Buffer.concat([...openPiece(placeOf(), { parts, plainBytes: size }, range)]);
    return opened.equals(plain.subarray(range.start, range.end));
  });
  fc.assert(property, { numRuns: 60 });
});

test("one flipped bit anywhere is detected", () => {
  const size = BLOCK_BYTES + 100;
  const sealed = sealPiece(placeOf(), plainOf(size));
  const property = fc.property(fc.integer({ min: 0, max: sealed.length * 8 - 1 }), (bit) => {
    const changed = Buffer.from(sealed);
    changed[bit >>> 3] = (changed[bit >>> 3] as number) ^ (1 << (bit & 7));
    expect(() => open(placeOf(), changed, size)).toThrow(SealError);
  });
  fc.assert(property, { numRuns: 60 });
});

test("no byte of a block is released before its tag has been checked", () => {
  const size = 2 * BLOCK_BYTES;
  const sealed = sealPiece(placeOf(), plainOf(size));
  sealed[sealed.length - 1] = ~(sealed.at(-1) as number);
  const given: Uint8Array[] = [];
  expect(() => {
    for (const part of openPiece(placeOf(), { parts: [sealed], plainBytes: size }, { start: 0, end: size }))
      given.push(part);
  }).toThrow(SealError);
  expect(Buffer.concat(given).length).toBe(BLOCK_BYTES);
});

const size = 2 * BLOCK_BYTES;
const plain = plainOf(size);
const blockOf = (sealed: Buffer, block: number) =>
  sealed.subarray(block * SEALED_BLOCK_BYTES, (block + 1) * SEALED_BLOCK_BYTES);

const sealedBody = sealPiece(placeOf(), plain);
const [firstBlock, secondBlock] = [blockOf(sealedBody, 0), blockOf(sealedBody, 1)];

test.each<[string, PiecePlace, Buffer, number]>([
  ["two blocks that changed places", placeOf(), Buffer.concat([secondBlock, firstBlock]), size],
  ["a block that is missing", placeOf(), firstBlock, size],
  ["a body truncated after a block, with a matching size", placeOf(), firstBlock, BLOCK_BYTES],
  ["a body with an extra block", placeOf(), Buffer.concat([sealedBody, firstBlock]), size],
  [
    "a body with an extra block and a matching size",
    placeOf(),
    Buffer.concat([sealedBody, firstBlock]),
    3 * BLOCK_BYTES,
  ],
  ["a piece in the place of another", placeOf(1), sealedBody, size],
  ["a body under another key", { ...placeOf(), key: createSecretKey(randomBytes(32)) }, sealedBody, size],
])("%s is detected", (_, place, sealed, plainBytes) => {
  expect(() => open(place, sealed, plainBytes)).toThrow(SealError);
});

test("the computed plain size is the largest that fits", () => {
  const property = fc.property(fc.integer({ min: 0, max: 10 * SEALED_BLOCK_BYTES }), (bytes) => {
    const plainBytes = plainSizeWithin(bytes);
    return sealedSize(plainBytes) <= bytes && sealedSize(plainBytes + 1) > bytes;
  });
  fc.assert(property);
  expect(plainSizeWithin(8_388_608)).toBe(8_388_608 - 128 * TAG_BYTES);
});
