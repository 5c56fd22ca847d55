import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestRank, samplesNeeded } from "./rank.ts";

test.each([
  { count: 1, perMillion: 0, rank: 1 },
  { count: 1, perMillion: 1_000_000, rank: 1 },
  { count: 2, perMillion: 500_000, rank: 1 },
  { count: 3, perMillion: 500_000, rank: 2 },
  { count: 100, perMillion: 990_000, rank: 99 },
  { count: 101, perMillion: 990_000, rank: 100 },
  { count: 1000, perMillion: 990_000, rank: 990 },
  { count: 1000, perMillion: 999_000, rank: 999 },
  { count: 10_000_000, perMillion: 999_999, rank: 9_999_990 },
])("the rank of $perMillion per million among $count samples is $rank", ({ count, perMillion, rank }) => {
  expect(nearestRank(count, perMillion)).toBe(rank);
});

test("the rank follows its definition, in integers of any size", () => {
  const counts = fc.maxSafeInteger().filter((count) => count >= 1);
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 1_000_000 }), (count, perMillion) => {
      const exact = (BigInt(count) * BigInt(perMillion) + 999_999n) / 1_000_000n;
      expect(BigInt(nearestRank(count, perMillion))).toBe(exact);
    }),
  );
});

test.each([
  [500_000, 20],
  [990_000, 1000],
  [999_000, 10_000],
])("showing the percentile at %i per million needs %i samples", (perMillion, count) => {
  expect(samplesNeeded(perMillion)).toBe(count);
});

test.each([-1, 0.99, 1_000_001, Number.NaN])("a share of %d is not in parts per million", (perMillion) => {
  expect(() => nearestRank(10, perMillion)).toThrow(/parts per million/);
});
