import fc from "fast-check";
import { expect, test } from "vitest";
import { packHistogram } from "../histogram/packed.ts";
import { recordAll, samplesArbitrary } from "../testing/value-arbitraries.ts";
import { packExponential } from "./exponential.ts";
import type { OtlpExponential } from "./request.ts";

/** Builds a point of a finer scale, with the samples spread over the finer buckets of each native one. */
function makePoint(samples: readonly number[], finer: number, within: number): OtlpExponential {
  const { zeroCount, sum, min, max, buckets } = recordAll(samples).content();
  const offset = (buckets[0]?.[0] ?? 0) * 2 ** finer;
  const bucketCounts: number[] = [];
  for (const [index, count] of buckets) bucketCounts[index * 2 ** finer + within - offset] = count;
  return {
    count: samples.length,
    zeroCount,
    scale: 4 + finer,
    sum,
    min,
    max,
    positive: { offset, bucketCounts: Array.from(bucketCounts, (count) => count ?? 0) },
  };
}

test("buckets at the native scale and at finer ones are converted without loss", () => {
  fc.assert(
    fc.property(samplesArbitrary, fc.integer({ min: 0, max: 3 }), fc.nat(7), (samples, finer, place) => {
      const point = makePoint(samples, finer, place % 2 ** finer);
      expect(packExponential(point)).toEqual(packHistogram(recordAll(samples).content()));
    }),
    { numRuns: 200 },
  );
});

const one = { count: 1, scale: 4, sum: 1, min: 1, max: 1, positive: { offset: -1, bucketCounts: [1] } };

test.each<[string, OtlpExponential, string | null]>([
  ["no samples", { ...one, count: 0 }, null],
  ["a coarser scale", { ...one, scale: 3 }, "too_coarse"],
  ["a scale that does not exist", { ...one, scale: 21 }, "impossible_value"],
  ["values below zero", { ...one, negative: { bucketCounts: [1] } }, "impossible_value"],
  ["a zero bucket wider than ours", { ...one, zeroThreshold: 0.001 }, "impossible_value"],
  ["counts that do not add up", { ...one, count: 2 }, "impossible_value"],
  ["a bucket beyond the last", { ...one, positive: { offset: 640, bucketCounts: [1] } }, "impossible_value"],
  ["a minimum outside the first bucket", { ...one, min: 0.9 }, "impossible_value"],
  ["no minimum", { count: 1, scale: 4, sum: 1, max: 1, positive: one.positive }, "no_extremes"],
])("a point with %s is not stored", (_, point, outcome) => {
  expect(packExponential(point)).toBe(outcome);
});

test("a value that the producer's logarithm put into the neighbouring bucket is moved to its own", () => {
  const beside = 1 + Number.EPSILON;
  expect(packExponential({ ...one, sum: beside, min: beside, max: beside })).toMatchObject({
    min: 1,
    max: 1,
  });
});

test("values too small to be measured are counted in the zero bucket", () => {
  const tiny = 2 ** -25;
  const point = { ...one, sum: tiny, min: tiny, max: tiny, positive: { offset: -401, bucketCounts: [1] } };
  expect(packExponential(point)).toMatchObject({ count: 1, zeroCount: 1, min: tiny });
});
