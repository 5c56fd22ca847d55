import { expect, test } from "vitest";
import { counted, formatCount, formatMs, formatShare, formatSize, parseSize } from "./units.ts";

test.each<[string, number | null]>([
  ["4096", 4096],
  ["256KiB", 262_144],
  ["256 kib", 262_144],
  ["1MiB", 1_048_576],
  ["1.5MiB", 1_572_864],
  ["1MB", 1_000_000],
  ["10B", 10],
  ["0.3KiB", null],
  ["1GiB", 1_073_741_824],
  ["2 GB", 2_000_000_000],
  ["1TiB", null],
  ["-1", null],
  ["KiB", null],
  ["", null],
])("reads %j as %j bytes", (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test("sizes, times, shares and counts are short and have their unit", () => {
  expect([100, 2048, 262_144, 1_572_864].map(formatSize)).toEqual(["100 B", "2 KiB", "256 KiB", "1.5 MiB"]);
  expect([4.7123, 47.123, 471.23, 12_345].map(formatMs)).toEqual(["4.71 ms", "47.1 ms", "471 ms", "12.3 s"]);
  expect([0.9876, 0.99957, 1].map(formatShare)).toEqual(["98.8 %", "99.9 %", "100.0 %"]);
  expect([7, 1234, 1_234_567].map(formatCount)).toEqual(["7", "1,234", "1,234,567"]);
  expect([counted(1, "object"), counted(2000, "object")]).toEqual(["1 object", "2,000 objects"]);
});
