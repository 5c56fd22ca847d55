import fc from "fast-check";
import { expect, test } from "vitest";
import { computePercentiles } from "./percentiles.ts";

test("returns none without values", () => {
  expect(computePercentiles([])).toBeNull();
});

test.each([
  [[5], { sampleCount: 1, p50: 5, p90: 5, p99: 5, max: 5 }],
  [[4, 1, 3, 2], { sampleCount: 4, p50: 2, p90: 4, p99: 4, max: 4 }],
  [Array.from({ length: 100 }, (_, i) => 100 - i), { sampleCount: 100, p50: 50, p90: 90, p99: 99, max: 100 }],
])("computes the percentiles of %j by nearest rank", (values, expected) => {
  expect(computePercentiles(values)).toEqual(expected);
});

test("returns measured values, each with at least its share of values at or below it", () => {
  fc.assert(
    fc.property(fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (values) => {
      const found = computePercentiles(values);
      for (const [value, share] of [
        [found?.p50, 0.5],
        [found?.p90, 0.9],
        [found?.p99, 0.99],
      ] as const) {
        expect(values.some((other) => other === value)).toBe(true);
        const belowCount = values.filter((other) => other <= (value as number)).length;
        expect(belowCount).toBeGreaterThanOrEqual(share * values.length);
      }
    }),
  );
});
