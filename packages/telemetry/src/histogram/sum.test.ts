import fc from "fast-check";
import { expect, test } from "vitest";
import { recordAll, samplesArbitrary } from "../testing/value-arbitraries.ts";
import { ExponentialHistogram } from "./histogram.ts";
import { encodeBuckets } from "./packed.ts";
import { HistogramSum } from "./sum.ts";

test("the sum of stored histograms equals their merge, at any position in the bytes", () => {
  fc.assert(
    fc.property(fc.array(samplesArbitrary, { minLength: 1, maxLength: 5 }), (parts) => {
      const sum = new HistogramSum();
      const merged = new ExponentialHistogram();
      sum.add({ count: 1, sum: 1, min: 1, max: 1 }, encodeBuckets(recordAll([1]).content().buckets), 0, 3);
      sum.clear();
      for (const histogram of parts.map(recordAll)) {
        const content = histogram.content();
        const buckets = encodeBuckets(content.buckets);
        const bytes = Uint8Array.from([7, ...buckets, 9]);
        sum.add({ ...content, count: histogram.count }, bytes, 1, bytes.length - 1);
        merged.merge(histogram);
      }
      expect(sum.count).toBe(merged.count);
      expect(sum.content()).toEqual(merged.content());
      expect(sum.histogram().content()).toEqual(merged.content());
    }),
  );
});

test("truncated buckets are a fault, not a smaller histogram", () => {
  const histogram = recordAll([1, 2, 3]);
  const bytes = encodeBuckets(histogram.content().buckets);
  const add = () => new HistogramSum().add({ count: 3, sum: 6, min: 1, max: 3 }, bytes, 0, bytes.length - 1);
  expect(add).toThrow("cannot be read");
});
