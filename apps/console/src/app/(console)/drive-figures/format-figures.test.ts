import { expect, test } from "vitest";
import {
  formatIops,
  formatMegabytes,
  formatUs,
  iopsAt,
  megabytesPerSecond,
  priceFor,
} from "./format-figures.ts";

test("IOPS and MB/s are converted by block size, both ways", () => {
  expect(megabytesPerSecond(3_000, 4_096)).toBeCloseTo(12.288);
  expect(iopsAt(125, 262_144)).toBeCloseTo(476.8, 1);
  expect(iopsAt(megabytesPerSecond(777, 65_536), 65_536)).toBeCloseTo(777);
});

test("rates and latencies are formatted with meaningful digits", () => {
  expect([0, 0.42, 9.96, 12_480.4].map(formatIops)).toEqual([
    "0 IOPS",
    "0.42 IOPS",
    "10 IOPS",
    "12,480 IOPS",
  ]);
  expect(formatMegabytes(1_000, 1_048_576)).toBe("1,049 MB/s");
  expect([null, 8.54, 250, 4_710, 2_500_000].map(formatUs)).toEqual([
    "–",
    "8.5 µs",
    "250 µs",
    "4.71 ms",
    "2.5 s",
  ]);
});

test("a price is per unit of a rate, and missing without a price or a rate", () => {
  expect(priceFor(30, 3_000, 1_000)).toBe(10);
  expect(priceFor(null, 3_000, 1_000)).toBeNull();
  expect(priceFor(30, 0, 1_000)).toBeNull();
});
