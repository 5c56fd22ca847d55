import fc from "fast-check";
import { expect, test } from "vitest";
import { recordAll, samplesArbitrary } from "../testing/value-arbitraries.ts";
import { packedQuantiles, packHistogram } from "./packed.ts";

test("quantiles of a packed histogram equal those of the histogram", () => {
  const shares = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 6 });
  fc.assert(
    fc.property(samplesArbitrary, shares, (samples, unsorted) => {
      const rising = unsorted.toSorted((a, b) => a - b);
      const histogram = recordAll(samples);
      const packed = packHistogram(histogram.content());
      expect(packed.count).toBe(histogram.count);
      expect(packedQuantiles(packed, rising)).toEqual(rising.map((share) => histogram.quantile(share)));
    }),
    { numRuns: 500 },
  );
});

test("contents that no samples can have are not packed", () => {
  const content = recordAll([0.5, 2]).content();
  expect(() => packHistogram({ ...content, min: 0.1 })).toThrow(/first and last bucket/);
  expect(() => packHistogram({ ...content, zeroCount: 0, buckets: [] })).toThrow(/no samples/);
});
