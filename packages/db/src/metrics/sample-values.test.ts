import type { MetricUnit } from "@stashlight/contracts/metrics";
import fc from "fast-check";
import { expect, test } from "vitest";
import { arrangeSamples, orderSamples, type SampleOrder, type SampleValues } from "./sample-values.ts";

const unit = fc.constantFrom<MetricUnit>("bytes", "seconds", "ratio", "count", "shards", "boolean");
const units = fc.array(unit, { maxLength: 20 });
const isWide = (of: MetricUnit): boolean => ["bytes", "seconds", "ratio"].includes(of);

/** TypeScript version of the SQL of `rawValues`. */
function inOrder({ narrowAfter }: SampleOrder, { values, narrow }: SampleValues): number[] {
  return [...values.slice(0, narrowAfter), ...(narrow ?? []).map(Math.fround), ...values.slice(narrowAfter)];
}

test("a layout has each series once, gauges before counters, and narrow candidates together", () => {
  fc.assert(
    fc.property(units, units, (gauges, counters) => {
      const order = orderSamples(gauges, counters);
      const all = [...gauges, ...counters];
      expect(order.all.toSorted((a, b) => a - b)).toEqual([...all.keys()]);
      expect(order.all.slice(0, gauges.length).every((index) => index < gauges.length)).toBe(true);
      const narrow = order.all.slice(order.narrowAfter, order.narrowAfter + order.narrow.length);
      expect(narrow).toEqual(order.narrow);
      expect(narrow.some((index) => isWide(all[index] as MetricUnit))).toBe(false);
      expect(order.wide.every((index) => isWide(all[index] as MetricUnit))).toBe(true);
      expect(order.narrow.length + order.wide.length).toBe(all.length);
    }),
  );
});

const anyValue = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 2 ** 24 }), weight: 20 },
  fc.double(),
  fc.constantFrom(-0, 2 ** 24 + 1, Number.MIN_VALUE, Number.MAX_VALUE, 2 ** -149, 2 ** -150),
);

test("no value of a row loses a bit, whatever the values", () => {
  const window = fc.tuple(units, units).chain(([gauges, counters]) =>
    fc.tuple(
      fc.constant(gauges),
      fc.constant(counters),
      fc.array(anyValue, {
        minLength: gauges.length + counters.length,
        maxLength: gauges.length + counters.length,
      }),
    ),
  );
  fc.assert(
    fc.property(window, ([gauges, counters, samples]) => {
      const order = orderSamples(gauges, counters);
      const restored = inOrder(order, arrangeSamples(order, samples));
      expect(restored).toEqual(order.all.map((index) => samples[index]));
    }),
    { numRuns: 1000 },
  );
});

const sevenCounts = orderSamples(["bytes", ...Array<MetricUnit>(6).fill("shards")], ["count"]);
const row = (count: number): number[] => [1e12 + 1, 1, 2, 3, 4, 5, 6, count];

test.each([
  [2 ** 24, true],
  [2 ** 24 + 1, false],
  [2 ** 24 + 2, true],
  [0.5, true],
  [0.1, false],
  [-0, true],
  [2 ** -149, true],
  [5e-324, false],
  [Number.MAX_VALUE, false],
  [Number.NaN, false],
])("a row with a count of %d is stored with narrow values: %s", (count, isNarrow) => {
  const { values, narrow } = arrangeSamples(sevenCounts, row(count));
  expect(narrow).toEqual(isNarrow ? row(count).slice(1) : null);
  expect(values).toEqual(isNarrow ? [1e12 + 1] : row(count));
});

test("a few counts are stored with the other values, because a second array would take more space", () => {
  const order = orderSamples(["bytes", ...Array<MetricUnit>(6).fill("shards")], []);
  expect(arrangeSamples(order, [1e12, 1, 2, 3, 4, 5, 6]).narrow).toBeNull();
});
