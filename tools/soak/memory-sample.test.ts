import { expect, test } from "vitest";
import { floorsByMinute, type MemorySample, slopePerMinute } from "./memory-sample.ts";

function sample(seconds: number, residentBytes: number): MemorySample {
  const none = {
    anonymousBytes: 0,
    heapUsedBytes: 0,
    heapTotalBytes: 0,
    externalBytes: 0,
    arrayBuffersBytes: 0,
  };
  return { seconds, residentBytes, ...none };
}

test.each([
  ["a leak of 6 MB per minute", (minute: number) => 100e6 + 6e6 * minute, 6e6],
  [
    "a warm-up that ends before the half",
    (minute: number) => (minute < 5 ? 100e6 + 20e6 * minute : 200e6),
    0,
  ],
  ["memory that is released", (minute: number) => 200e6 - 1e6 * minute, -1e6],
])("computes the slope of %s from the second half", (_, bytesAt, slope) => {
  const samples = Array.from({ length: 61 }, (_, i) => sample(i * 10, bytesAt(i / 6)));
  expect(slopePerMinute(samples, "residentBytes")).toBeCloseTo(slope, 0);
});

test("returns no slope for fewer than three samples in the second half", () => {
  expect(slopePerMinute([], "residentBytes")).toBeNull();
  expect(slopePerMinute([sample(0, 1), sample(10, 2), sample(20, 3)], "residentBytes")).toBeNull();
});

test("garbage that comes and goes leaves the floor of each minute level, and a leak raises it", () => {
  const sawtooth = (leakPerMinute: number) =>
    Array.from({ length: 121 }, (_, i) => sample(i * 5, 30e6 + (i % 7) * 5e6 + (leakPerMinute * i) / 12));
  const residentSlope = (leak: number) =>
    slopePerMinute(floorsByMinute(sawtooth(leak)), "residentBytes") ?? Number.NaN;
  expect(floorsByMinute(sawtooth(0)).map(({ seconds }) => seconds)).toEqual(
    Array.from({ length: 10 }, (_, minute) => minute * 60),
  );
  expect(Math.abs(residentSlope(0))).toBeLessThan(0.1e6);
  expect(residentSlope(6e6)).toBeGreaterThan(5e6);
});
