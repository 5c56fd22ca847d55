import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { valueArbitrary } from "../testing/value-arbitraries.ts";
import {
  bucketIndex,
  INDEX_MAX,
  INDEX_MIN,
  RELATIVE_ERROR,
  representative,
  upperBound,
  VALUE_MAX,
  ZERO_THRESHOLD,
} from "./buckets.ts";

const allIndexes = Array.from({ length: INDEX_MAX - INDEX_MIN + 1 }, (_, i) => INDEX_MIN + i);

test("the bounds within an octave are the doubles nearest to the sixteenth roots of the powers of two", () => {
  for (let j = 0; j < 16; j += 1) {
    const fraction = BigInt(upperBound(j - 1) * 2 ** 52);
    // b is nearest to 2^(j/16) if b - 1/2 ulp < 2^(j/16) < b + 1/2 ulp; here all are raised to the 16th power, in units
    // of 2^-53.
    const power = 2n ** BigInt(53 * 16 + j);
    expect((2n * fraction - 1n) ** 16n < power).toBe(true);
    expect((2n * fraction + 1n) ** 16n > power).toBe(true);
  }
});

test("in all 960 buckets, a bound belongs to the bucket below it, and the next larger double to the one above", () => {
  expect(allIndexes).toHaveLength(960);
  for (const index of allIndexes) {
    const bound = upperBound(index);
    expect(bucketIndex(bound)).toBe(index);
    expect(bucketIndex(bound * (1 + Number.EPSILON))).toBe(index + 1);
  }
  expect(upperBound(INDEX_MIN - 1)).toBe(ZERO_THRESHOLD);
  expect(upperBound(INDEX_MAX)).toBe(VALUE_MAX);
});

test("every value is between the bounds of its bucket", () => {
  fc.assert(
    fc.property(valueArbitrary, (value) => {
      fc.pre(value > ZERO_THRESHOLD);
      const index = bucketIndex(value);
      expect(value).toBeGreaterThan(upperBound(index - 1));
      expect(value).toBeLessThanOrEqual(upperBound(index));
    }),
    { numRuns: 2000 },
  );
});

describe("the value that represents a bucket", () => {
  test("is within 2.17 % of every value in it", () => {
    expect(RELATIVE_ERROR).toBeLessThan(0.0217);
    for (const index of allIndexes) {
      const value = representative(index);
      for (const actual of [upperBound(index - 1), upperBound(index)]) {
        expect(Math.abs(value - actual) / actual).toBeLessThanOrEqual(RELATIVE_ERROR * (1 + 1e-12));
      }
    }
  });
});
