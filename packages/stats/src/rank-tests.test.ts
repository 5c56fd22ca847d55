import fc from "fast-check";
import { expect, test } from "vitest";
import { computeDrift, spearman } from "./drift.ts";
import { StatsError } from "./error.ts";
import { pairedShift, unpairedShift } from "./hodges-lehmann.ts";
import { rankSumTest } from "./mann-whitney.ts";
import { nOfM } from "./threshold.ts";
import { signedRankTest } from "./wilcoxon.ts";

const whole = fc.integer({ min: -1000, max: 1000 });
const some = fc.array(whole, { minLength: 1, maxLength: 70 });

test("the shift of scaled and moved values is scaled and moved alike", () => {
  fc.assert(
    fc.property(some, whole, (values, added) => {
      const { shift, interval } = pairedShift(values);
      const moved = pairedShift(values.map((value) => 4 * value + added));
      expect(moved.shift).toBeCloseTo(4 * shift + added, 8);
      if (interval === null) expect(moved.interval).toBeNull();
      else expect(moved.interval?.low).toBeCloseTo(4 * interval.low + added, 8);
    }),
  );
});

test("swapping sides reverses every sign and does not change p", () => {
  fc.assert(
    fc.property(some, some, (a, b) => {
      const negative = a.map((value) => -value);
      expect(signedRankTest(negative).pValue).toBeCloseTo(signedRankTest(a).pValue, 12);
      expect(pairedShift(negative).shift).toBeCloseTo(-pairedShift(a).shift, 10);
      expect(rankSumTest(b, a).pValue).toBeCloseTo(rankSumTest(a, b).pValue, 10);
      expect(rankSumTest(b, a).cliffsDelta).toBeCloseTo(-rankSumTest(a, b).cliffsDelta, 12);
      expect(unpairedShift(b, a).shift).toBeCloseTo(-unpairedShift(a, b).shift, 10);
    }),
  );
});

test("p is a probability, and an interval contains the estimate", () => {
  fc.assert(
    fc.property(some, some, (a, b) => {
      for (const { pValue } of [signedRankTest(a), rankSumTest(a, b)]) {
        expect(pValue).toBeGreaterThan(0);
        expect(pValue).toBeLessThanOrEqual(1);
      }
      for (const { shift, interval } of [pairedShift(a), unpairedShift(a, b)]) {
        if (interval === null) continue;
        expect(interval.low).toBeLessThanOrEqual(shift);
        expect(interval.high).toBeGreaterThanOrEqual(shift);
      }
    }),
  );
});

test("differences of zero are left out, and only zeros show no difference", () => {
  expect(signedRankTest([0, 3, 0, 4, 5, 6, 7, 8])).toMatchObject({
    pairCount: 8,
    zeroCount: 2,
    pValue: 0.03125,
  });
  expect(signedRankTest([0, 0, 0])).toMatchObject({ zeroCount: 3, pValue: 1 });
  expect(pairedShift([0, 0, 0, 0, 0, 0])).toMatchObject({ shift: 0, interval: { low: 0, high: 0 } });
});

test("sides with equal values do not differ", () => {
  expect(rankSumTest(Array(30).fill(5), Array(30).fill(5))).toMatchObject({ pValue: 1, cliffsDelta: 0 });
  expect(spearman([1, 2, 3], [4, 4, 4])).toBeNull();
  expect(computeDrift([4, 4, 4])).toEqual({ rho: null, isDrifting: false });
});

test("latencies that rise in their order show drift", () => {
  expect(computeDrift([1, 2, 3, 5, 8])).toEqual({ rho: 1, isDrifting: true });
  expect(computeDrift([3, 1, 4, 1, 5, 2, 3, 1])).toMatchObject({ isDrifting: false });
});

test("the rule holds while at least n of the last m values crossed the threshold", () => {
  const rule = { threshold: 10, direction: "above", n: 2, m: 3 } as const;
  expect(nOfM([9, 11, 12, 10, 10, 11, 9, 11], rule)).toEqual([
    false,
    false,
    true,
    true,
    false,
    false,
    false,
    true,
  ]);
  expect(nOfM([], rule)).toEqual([]);
  expect(nOfM([9, 9], { ...rule, direction: "below" })).toEqual([false, true]);
});

const bad: [name: string, call: () => unknown, sentence: RegExp][] = [
  ["no differences", () => signedRankTest([]), /There are no differences/],
  ["no pairs", () => pairedShift([]), /There are no differences/],
  ["NaN", () => pairedShift([1, Number.NaN]), /Value 1 of the differences is NaN/],
  ["Infinity", () => rankSumTest([1], [Number.POSITIVE_INFINITY]), /Value 0 of the values of b is Infinity/],
  ["an empty side", () => unpairedShift([], [1]), /There are no values of a/],
  ["a confidence of 95", () => pairedShift([1], 95), /The confidence is 95; it must be from 0.5 to 0.9999/],
  ["one value", () => spearman([1], [1]), /at least 2 are needed/],
  ["sides of unequal length", () => spearman([1, 2, 3], [1, 2]), /they come in pairs/],
  ["n above m", () => nOfM([1], { threshold: 1, direction: "above", n: 4, m: 3 }), /from 1 to 3/],
  [
    "no threshold",
    () => nOfM([1], { threshold: Number.NaN, direction: "above", n: 1, m: 1 }),
    /threshold is NaN/,
  ],
];

test.each(bad)("input with %s is refused with an explanation", (_, call, sentence) => {
  expect(call).toThrow(StatsError);
  expect(call).toThrow(sentence);
});
