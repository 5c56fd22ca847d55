import { expect, test } from "vitest";
import { isBlank, isSame } from "./bytes.ts";

/** Copies the content into a larger buffer, starting at that byte. */
function placedAt(start: number, content: Uint8Array): Uint8Array {
  const placed = new Uint8Array(new ArrayBuffer(start + content.length + 3), start, content.length);
  placed.set(content);
  return placed;
}

const lengths = [0, 1, 3, 4, 5, 8, 4096];
const starts = [0, 1, 2, 3, 4];
const cases = lengths.flatMap((length) =>
  starts.flatMap((left) => starts.map((right) => ({ length, left, right }))),
);

test.each(cases)(
  "isSame compares every one of $length bytes at offsets $left and $right",
  ({ length, left, right }) => {
    const content = new Uint8Array(length).map((_, at) => 1 + (at % 251));
    const ours = placedAt(left, content);
    const theirs = placedAt(right, content);
    expect(isSame(ours, theirs)).toBe(true);
    for (const at of new Set([0, 1, 2, 3, length - 1].filter((each) => each >= 0 && each < length))) {
      theirs[at] = 0;
      expect(isSame(ours, theirs), `byte ${at}`).toBe(false);
      theirs[at] = content[at] ?? 0;
    }
  },
);

test("isSame returns false for bytes of different lengths", () => {
  expect(isSame(new Uint8Array(8), new Uint8Array(4))).toBe(false);
  expect(isSame(new Uint8Array(4), new Uint8Array(8))).toBe(false);
});

test.each(lengths.flatMap((length) => starts.map((start) => ({ length, start }))))(
  "isBlank accepts $length bytes at offset $start only if each is zero",
  ({ length, start }) => {
    const bytes = placedAt(start, new Uint8Array(length));
    expect(isBlank(bytes)).toBe(true);
    for (let at = 0; at < length; at += length > 8 ? 509 : 1) {
      bytes[at] = 128;
      expect(isBlank(bytes), `byte ${at}`).toBe(false);
      bytes[at] = 0;
    }
  },
);

test("isBlank and isSame do not read beyond the bytes", () => {
  const around = new Uint8Array(12).fill(7);
  around.fill(0, 4, 8);
  expect(isBlank(around.subarray(4, 8))).toBe(true);
  expect(isSame(around.subarray(4, 8), new Uint8Array(4))).toBe(true);
});
