import fc from "fast-check";
import { INDEX_MAX, INDEX_MIN, upperBound, VALUE_MAX } from "../histogram/buckets.ts";
import { ExponentialHistogram } from "../histogram/histogram.ts";

/** Values of every recordable size, many of them on or next to a bucket's bound. */
export const valueArbitrary: fc.Arbitrary<number> = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: -22, max: 39.99, noNaN: true }).map((exponent) => 2 ** exponent) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: INDEX_MIN - 1, max: INDEX_MAX }), fc.constantFrom(-1, 0, 1))
      .map(([index, step]) => Math.min(VALUE_MAX, upperBound(index) * (1 + step * Number.EPSILON))),
  },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_000_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1e-9, 1, VALUE_MAX) },
);

export const samplesArbitrary = fc.array(valueArbitrary, { minLength: 1, maxLength: 400, size: "max" });

export function recordAll(values: readonly number[]): ExponentialHistogram {
  const histogram = new ExponentialHistogram();
  for (const value of values) histogram.record(value);
  return histogram;
}
