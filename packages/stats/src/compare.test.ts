import fc from "fast-check";
import { expect, test } from "vitest";
import { compareLegs, compareUnpaired } from "./compare.ts";
import { StatsError } from "./error.ts";
import { compareSpeeds } from "./faster.ts";
import { pairBySlot } from "./pairing.ts";
import { createRandom, type Random, randomNormal } from "./random.ts";
import type { RunMoments, RunSeries } from "./run-series.ts";
import { summariseRun } from "./summary.ts";

/**
 * Returns runs around `mean` that differ by `betweenSd`, with samples that differ by `withinSd`; the runs of a slot
 * share part of their deviation.
 */
function drawSeries(
  random: Random,
  mean: number,
  options: { runCount?: number; size?: number; betweenSd?: number; withinSd?: number } = {},
): RunSeries {
  const { runCount = 24, size = 20, betweenSd = 5, withinSd = 10 } = options;
  const values: number[] = [];
  for (let run = 0; run < runCount; run += 1) {
    const level = mean + betweenSd * randomNormal(random.uint32);
    for (let i = 0; i < size; i += 1)
      values.push(Math.max(1, level + withinSd * randomNormal(random.uint32)));
  }
  return {
    slotsMs: Array.from({ length: runCount }, (_, i) => i * 21_600_000),
    offsets: Array.from({ length: runCount + 1 }, (_, i) => i * size),
    values: Float64Array.from(values),
  };
}

test("a time of 118 against 157 is 25 % less, and 1.33x as fast", () => {
  expect(compareSpeeds(118, 157)).toMatchObject({ which: "a", words: ["25 % less time", "1.33x as fast"] });
  expect(compareSpeeds(157, 118)).toMatchObject({ which: "b", words: ["25 % less time", "1.33x as fast"] });
  expect(compareSpeeds(5, 5)).toMatchObject({ which: "neither", words: ["0 % less time", "1.00x as fast"] });
  expect(compareSpeeds(99.8, 100).words[0]).toBe("0.2 % less time");
});

test("an endpoint that takes 25 % less time is faster", () => {
  const random = createRandom(4);
  const legs = [drawSeries(random, 118), drawSeries(random, 157)];
  const [pair] = compareLegs({ legs, pairs: [[0, 1]] }).pairs;
  expect(pair?.verdict).toEqual({ kind: "faster", which: "a" });
  expect(pair?.pairCount).toBe(24);
  expect(pair?.shift.shift).toBeCloseTo(-39, -1);
  expect(pair?.ratio.interval?.high).toBeLessThan(0.8);
  expect(pair?.pValue).toBeLessThan(0.001);
});

test("an endpoint cannot be distinguished from itself", () => {
  const random = createRandom(5);
  const [pair] = compareLegs({
    legs: [drawSeries(random, 118), drawSeries(random, 118)],
    pairs: [[0, 1]],
  }).pairs;
  expect(pair?.verdict).toEqual({ kind: "not distinguishable", because: "interval" });
});

test("a real difference below the user's minimum gives no verdict", () => {
  const random = createRandom(6);
  const small = { betweenSd: 0.1, withinSd: 0.1 };
  const legs = [drawSeries(random, 100, small), drawSeries(random, 103, small)];
  const compare = (minimumEffect?: { kind: "duration"; duration: number }) =>
    compareLegs({ legs, pairs: [[0, 1]], ...(minimumEffect && { minimumEffect }) }).pairs[0]?.verdict;
  expect(compare()).toEqual({ kind: "not distinguishable", because: "minimum" });
  expect(compare({ kind: "duration", duration: 5 })).toEqual({
    kind: "not distinguishable",
    because: "minimum",
  });
  expect(compare({ kind: "duration", duration: 2 })).toEqual({ kind: "faster", which: "a" });
});

test("five runs give a leader but no faster endpoint, even if one endpoint takes nine times as long", () => {
  const random = createRandom(6);
  const few = { runCount: 5 };
  const [pair] = compareLegs({
    legs: [drawSeries(random, 100, few), drawSeries(random, 900, few)],
    pairs: [[0, 1]],
  }).pairs;
  expect(pair?.verdict).toEqual({ kind: "leads", which: "a", count: 5, countMin: 6 });
  expect(pair).toMatchObject({ pValue: 1, ratio: { interval: null }, shift: { interval: null } });
});

/** Makes runs with a single figure, which is both mean and median. */
const makeRuns = (
  means: readonly number[],
  failedShares = means.map(() => 0),
  medians = means,
): RunMoments => ({
  slotsMs: means.map((_, slot) => slot),
  means,
  medians,
  failedShares,
});
const compareTwo = (a: RunMoments, b: RunMoments, minimumEffect = { kind: "share", share: 0.05 } as const) =>
  compareLegs({ legs: [a, b], pairs: [[0, 1]], minimumEffect }).pairs[0];

test("medians that disagree with the means give no verdict", () => {
  const noise = [0, 1, -1, 2, -2, 1, 0, -1, 2, -2];
  const a = makeRuns(
    noise.map((each) => 150 + each),
    undefined,
    noise.map((each) => 90 + each),
  );
  const b = makeRuns(noise.map((each) => 100 - each));
  const pair = compareTwo(a, b);
  expect(pair?.pValue).toBeLessThan(0.01);
  expect(pair?.verdict).toEqual({ kind: "not distinguishable", because: "interval" });
});

test("identical differences do not give certainty: the chance of equal signs bounds the p-value", () => {
  const pair = compareTwo(makeRuns([10, 10, 10, 10, 10, 10]), makeRuns([11, 11, 11, 11, 11, 11]));
  expect(pair?.pValue).toBe(2 ** -5);
  expect(compareTwo(makeRuns([10, 10, 10, 10, 10, 10]), makeRuns([10, 10, 10, 10, 10, 10]))).toMatchObject({
    pValue: 1,
    verdict: { kind: "not distinguishable", because: "minimum" },
  });
});

test("a difference is negligible only if its whole interval is below the minimum", () => {
  // Six differences around -4.9 %, with a 95 % interval from about -9 % to -1 %.
  const a = makeRuns([-8.9, -0.9, -8.1, -1.7, -7.4, -2.4].map((percent) => 100 + percent));
  const b = makeRuns([100, 100, 100, 100, 100, 100]);
  const wide = compareTwo(a, b);
  expect(wide?.ratio.value).toBeCloseTo(0.951, 3);
  expect(wide?.verdict).toEqual({ kind: "not distinguishable", because: "interval" });
  const narrow = Array.from({ length: 12 }, (_, i) => 99 + (i % 3) / 10);
  expect(compareTwo(makeRuns(narrow), makeRuns(narrow.map(() => 100)))?.verdict).toEqual({
    kind: "not distinguishable",
    because: "minimum",
  });
});

test("an endpoint that fails its slow tenth is not called faster, and with enough slots the other succeeds more often", () => {
  const b = makeRuns([100, 101, 99, 100, 102, 98]);
  const a = makeRuns([80, 81, 79, 80, 82, 78], [0.1, 0.11, 0.08, 0.1, 0.12, 0.09]);
  const pair = compareTwo(a, b);
  expect(pair?.success).toMatchObject({ a: expect.closeTo(0.9, 9), b: 1, slotCount: 6, pValue: 2 ** -5 });
  expect(pair?.verdict).toEqual({ kind: "unequal success", better: null });
  const twice = <Value>(values: readonly Value[]) => [...values, ...values];
  const failed = [0.1, 0.11, 0.08, 0.1, 0.12, 0.09];
  const longer = compareTwo(
    makeRuns(twice([80, 81, 79, 80, 82, 78]), twice(failed)),
    makeRuns(twice([100, 101, 99, 100, 102, 98])),
  );
  expect(longer?.verdict).toEqual({ kind: "unequal success", better: "b" });
});

test("a few outages against many small failures give no better endpoint", () => {
  const levels = Array.from({ length: 60 }, (_, i) => 100 + (i % 5));
  const outages = levels.map((_, i) => (i < 4 ? 0.49 : 0));
  const trickle = levels.map((_, i) => (i < 4 ? 0 : 0.01));
  expect(compareTwo(makeRuns(levels, outages), makeRuns(levels, trickle))?.verdict).toEqual({
    kind: "unequal success",
    better: null,
  });
});

test("success rates are compared even if too few runs have a time to compare", () => {
  const nan = Number.NaN;
  const a = makeRuns(Array(20).fill(100));
  const b = makeRuns([90, 90, 90, 90, 90, ...Array(15).fill(nan)], [0, 0, 0, 0, 0, ...Array(15).fill(0.95)]);
  expect(compareTwo(a, b)?.verdict).toEqual({ kind: "unequal success", better: "a" });
});

test("one run in which everything failed is chance, and counts only in the success rate", () => {
  const nan = Number.NaN;
  const a = makeRuns([80, 81, nan, 80, 82, 78, 80], [0, 0, 1, 0, 0, 0, 0]);
  const b = makeRuns([100, 101, 99, 100, 102, 98, 100]);
  expect(compareTwo(a, b)).toMatchObject({
    pairCount: 6,
    unpairedCount: 1,
    success: { slotCount: 7, a: expect.closeTo(6 / 7, 9), pValue: 1 },
    verdict: { kind: "faster", which: "a" },
  });
});

/** Returns legs as a store keeps them, with each run's summary figures. */
function makeMoments({ slotsMs, offsets, values }: RunSeries): RunMoments {
  const runs = Array.from(slotsMs, (_, i) =>
    summariseRun({ ok: values.slice(offsets[i], offsets[i + 1]), censored: [] }),
  );
  return {
    slotsMs,
    means: runs.map(({ mean }) => mean ?? Number.NaN),
    medians: runs.map(({ percentiles }) => percentiles.median.value ?? Number.NaN),
    failedShares: runs.map(({ successRate }) => 1 - successRate),
  };
}

test("one figure per run gives the same result as its samples", () => {
  const random = createRandom(3);
  const legs = [
    drawSeries(random, 118, { runCount: 110, size: 100 }),
    drawSeries(random, 157, { runCount: 110, size: 100 }),
  ];
  const compare = (of: (RunSeries | RunMoments)[]) => compareLegs({ legs: of, pairs: [[0, 1]] });
  const [samples, figures] = [compare(legs), compare(legs.map(makeMoments))];
  const rounded = (of: typeof samples): unknown =>
    JSON.parse(JSON.stringify(of), (_, value) =>
      typeof value === "number" ? Number(value.toPrecision(9)) : value,
    );
  expect(rounded(figures)).toEqual(rounded(samples));
});

test("slots with only one endpoint are left out of the pairs", () => {
  const random = createRandom(8);
  const whole = drawSeries(random, 100);
  const part: RunSeries = {
    slotsMs: Array.from(whole.slotsMs).slice(4),
    offsets: Array.from(whole.offsets).slice(0, -4),
    values: whole.values.slice(80),
  };
  const result = compareLegs({ legs: [whole, part], pairs: [[0, 1]] });
  expect(result.pairs[0]).toMatchObject({ pairCount: 20, unpairedCount: 4, shift: { shift: 0 } });
  expect(result.pairs[0]?.verdict).toEqual({ kind: "not distinguishable", because: "minimum" });
});

test("a run whose median failed is not compared by its time", () => {
  const random = createRandom(8);
  const whole = drawSeries(random, 100);
  const failing = { ...whole, censoredCounts: Array.from({ length: 24 }, (_, run) => (run === 3 ? 30 : 0)) };
  const [pair] = compareLegs({ legs: [whole, failing], pairs: [[0, 1]] }).pairs;
  expect(pair).toMatchObject({ pairCount: 23, unpairedCount: 1, success: { slotCount: 24 } });
});

test("all durations in another unit give the same ratio and verdict", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(2, 0.5, 1024), (seed, factor) => {
      const random = createRandom(seed);
      const legs = [drawSeries(random, 100, { size: 3 }), drawSeries(random, 106, { size: 3 })];
      const scaled = legs.map((leg) => ({ ...leg, values: leg.values.map((value) => factor * value) }));
      const compare = (of: RunSeries[]) => compareLegs({ legs: of, pairs: [[0, 1]] });
      const [one, other] = [compare(legs).pairs[0], compare(scaled).pairs[0]];
      expect(other?.ratio.value).toBeCloseTo(one?.ratio.value ?? 0, 10);
      expect(other?.verdict).toEqual(one?.verdict);
      expect(other?.shift.shift).toBeCloseTo(factor * (one?.shift.shift ?? 0), 8);
    }),
    { numRuns: 15 },
  );
});

test("imports without slots are compared by the shift and the rank-sum test", () => {
  expect(compareUnpaired([1, 2, 3, 4, 5], [11, 12, 13, 14, 15])).toMatchObject({
    shift: { shift: -10 },
    test: { cliffsDelta: -1, magnitude: "large" },
  });
});

test("pairs consist of the slots that both endpoints have", () => {
  const pairs = pairBySlot(
    { slotsMs: [1, 2, 4, 5], values: [10, 20, 40, 50] },
    { slotsMs: [2, 3, 5], values: [200, 300, 500] },
  );
  expect([...pairs.a, ...pairs.b]).toEqual([20, 50, 200, 500]);
  expect(pairs).toMatchObject({ onlyA: 2, onlyB: 1 });
});

const one: RunSeries = { slotsMs: [0], offsets: [0, 1], values: Float64Array.of(1) };
const figures: RunMoments = { slotsMs: [0], means: [1], failedShares: [0], medians: [1] };
const bad: [name: string, legs: (RunSeries | RunMoments)[], sentence: RegExp][] = [
  ["one figure too few", [{ ...figures, medians: [] }], /1 runs need as many figures "median", not 0/],
  ["an infinite figure", [{ ...figures, means: [Number.POSITIVE_INFINITY] }], /Figure "mean" of run 0/],
  ["no legs", [], /no leg 0 among 0/],
  ["no runs", [{ ...one, slotsMs: [] }], /There are no runs of leg 0/],
  ["an offset too few", [{ ...one, offsets: [0] }], /1 runs need 2 offsets, not 1/],
  ["offsets that end early", [{ ...one, offsets: [0, 0] }], /from 0 to the number of samples, 1/],
  ["NaN", [{ ...one, values: Float64Array.of(Number.NaN) }], /samples of leg 0 is NaN/],
  ["a slot twice", [{ ...one, slotsMs: [4, 4], offsets: [0, 1, 1] }], /slot 1 is not after/],
  [
    "nothing that succeeded",
    [{ slotsMs: [0], offsets: [0, 0], values: new Float64Array(0), censoredCounts: [4] }, one],
    /In no slot do both legs have a mean/,
  ],
  ["no common slot", [one, { ...one, slotsMs: [9] }], /In no slot do both legs have a mean/],
];

test.each(bad)("input with %s is refused with an explanation", (_, legs, sentence) => {
  const call = () => compareLegs({ legs, pairs: [[0, 1]] });
  expect(call).toThrow(StatsError);
  expect(call).toThrow(sentence);
});

test("invalid parameters are refused with an explanation", () => {
  const legs = [one];
  expect(() => compareLegs({ legs, pairs: [[0, 3]] })).toThrow(/no leg 3 among 1/);
  expect(() => compareLegs({ legs, pairs: [[0, 0]], confidence: 2 })).toThrow(/The confidence is 2/);
  expect(() => createRandom(-1)).toThrow(/The seed is -1/);
  expect(() => compareSpeeds(0, 3)).toThrow(/A duration is 0/);
  expect(() => pairBySlot({ slotsMs: [1], values: [] }, { slotsMs: [], values: [] })).toThrow(/Side a/);
  expect(() => pairBySlot({ slotsMs: [2, 1], values: [1, 1] }, { slotsMs: [], values: [] })).toThrow(
    /ascend/,
  );
});

test.each<[number, number, string, string]>([
  [118, 157, "25 % less time", "1.33x as fast"],
  [99.99, 100, "0.01 % less time", "1.00x as fast"],
  [0.6, 100, "99.4 % less time", "167x as fast"],
  [0.001, 1e6, "over 99.9 % less time", "1000000000x as fast"],
])("the times %d and %d are formatted without a rounding to 0 or 100 %", (a, b, lessTime, timesAsFast) => {
  expect(compareSpeeds(a, b).words).toEqual([lessTime, timesAsFast]);
});
