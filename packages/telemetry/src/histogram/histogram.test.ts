import { nearestRank } from "@stashlight/stats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordAll, samplesArbitrary } from "../testing/value-arbitraries.ts";
import { RELATIVE_ERROR, VALUE_MAX, ZERO_THRESHOLD } from "./buckets.ts";
import { ExponentialHistogram } from "./histogram.ts";

/** Parts of a histogram that merge exactly in any order: all but its sum, which is rounded. */
function exactPart(histogram: ExponentialHistogram) {
  const { sum: _, ...rest } = histogram.content();
  return rest;
}

const mergeOf = (...parts: ExponentialHistogram[]): ExponentialHistogram => {
  const merged = new ExponentialHistogram();
  for (const part of parts) merged.merge(part);
  return merged;
};

test("count, sum, minimum and maximum equal those of the samples", () => {
  fc.assert(
    fc.property(samplesArbitrary, (samples) => {
      const histogram = recordAll(samples);
      expect(histogram.count).toBe(samples.length);
      expect(histogram.sum).toBe(samples.reduce((sum, value) => sum + value, 0));
      expect(histogram.min).toBe(Math.min(...samples));
      expect(histogram.max).toBe(Math.max(...samples));
      expect(histogram.zeroCount).toBe(samples.filter((value) => value <= ZERO_THRESHOLD).length);
    }),
  );
});

test("a quantile is within 2.17 % of the sample of its rank, or within a microsecond of a tiny one", () => {
  fc.assert(
    fc.property(samplesArbitrary, fc.integer({ min: 0, max: 1_000_000 }), (samples, perMillion) => {
      const sorted = samples.toSorted((a, b) => a - b);
      const exact = sorted[nearestRank(sorted.length, perMillion) - 1] as number;
      const quantile = recordAll(samples).quantile(perMillion) as number;
      const allowed = exact <= ZERO_THRESHOLD ? ZERO_THRESHOLD : exact * RELATIVE_ERROR * (1 + 1e-12);
      expect(Math.abs(quantile - exact)).toBeLessThanOrEqual(allowed);
    }),
    { numRuns: 2000 },
  );
});

test("quantiles of the first and last rank are exact", () => {
  const histogram = recordAll([0.013, 0.017, 0.5, 3.25]);
  expect(histogram.quantile(0)).toBe(0.013);
  expect(histogram.quantile(1_000_000)).toBe(3.25);
});

describe("merging", () => {
  test("gives the histogram of all samples, in any order and grouping", () => {
    fc.assert(
      fc.property(samplesArbitrary, samplesArbitrary, samplesArbitrary, (one, two, three) => {
        const [a, b, c] = [recordAll(one), recordAll(two), recordAll(three)];
        const whole = recordAll([...one, ...two, ...three]);
        for (const merged of [mergeOf(mergeOf(a, b), c), mergeOf(a, mergeOf(b, c)), mergeOf(c, a, b)]) {
          expect(exactPart(merged)).toEqual(exactPart(whole));
          expect(merged.count).toBe(whole.count);
          expect(Math.abs(merged.sum - whole.sum)).toBeLessThanOrEqual(whole.sum * 1e-12);
        }
      }),
    );
  });

  test("with an empty histogram changes neither histogram", () => {
    const histogram = recordAll([0.001, 1, 700]);
    const before = histogram.content();
    histogram.merge(new ExponentialHistogram());
    expect(histogram.content()).toEqual(before);
    const other = histogram.clone();
    other.record(5);
    expect(histogram.content()).toEqual(before);
  });
});

test("the counts up to powers of two are exact", () => {
  fc.assert(
    fc.property(samplesArbitrary, (samples) => {
      const counts = recordAll(samples).countsUpToOctaves(-19, 39);
      const expected = counts.map((_, i) => samples.filter((value) => value <= 2 ** (i - 19)).length);
      expect(counts).toEqual(expected);
    }),
  );
});

test("a millisecond, a day and a century in seconds are recorded in buckets of their own", () => {
  const histogram = recordAll([0.001, 86_400, 3e9]);
  expect(histogram.content().buckets).toHaveLength(3);
  expect(histogram.quantile(500_000)).toBeCloseTo(86_400, -4);
});

test.each([-1e-9, Number.NaN, Number.POSITIVE_INFINITY, VALUE_MAX * 1.001])(
  "the impossible value %d is counted as refused and changes nothing else",
  (value) => {
    const histogram = recordAll([0.5]);
    const before = histogram.content();
    histogram.record(value);
    expect(histogram.refusedCount).toBe(1);
    expect(histogram.content()).toEqual(before);
  },
);

test("an empty histogram has null, not zero, as quantile, minimum and maximum", () => {
  const histogram = new ExponentialHistogram();
  expect([histogram.quantile(500_000), histogram.min, histogram.max]).toEqual([null, null, null]);
});
