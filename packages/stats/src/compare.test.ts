import fc from "fast-check";
import { expect, test } from "vitest";
import { bootstrapMeans } from "./bootstrap.ts";
import { compareLegs, compareUnpaired, verdictOf } from "./compare.ts";
import { StatsError } from "./error.ts";
import { fasterOf } from "./faster.ts";
import { pairBySlot } from "./pairing.ts";
import { createRandom, type Random, randomNormal } from "./random.ts";
import { meanVarianceOf, type RunMoments, type RunSeries } from "./run-series.ts";
import { summariseRun } from "./summary.ts";

/** Runs around `mean` that differ by `betweenSd`, of samples that differ by `withinSd`; slots share their own share. */
function seriesOf(
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

test("118 against 157 is 25 % less time, and 1.33x as fast", () => {
  expect(fasterOf(118, 157)).toMatchObject({ which: "a", words: ["25 % less time", "1.33x as fast"] });
  expect(fasterOf(157, 118)).toMatchObject({ which: "b", words: ["25 % less time", "1.33x as fast"] });
  expect(fasterOf(5, 5)).toMatchObject({ which: "neither", words: ["0 % less time", "1.00x as fast"] });
  expect(fasterOf(99.8, 100).words[0]).toBe("0.2 % less time");
});

test("an endpoint that takes 25 % less time is faster", () => {
  const random = createRandom(4);
  const legs = [seriesOf(random, 118), seriesOf(random, 157)];
  const result = compareLegs({ legs, pairs: [[0, 1]], random: createRandom(7) });
  expect(result).toMatchObject({ seed: 7, drawCount: 2000, inner: "samples" });
  const pair = result.pairs[0];
  expect(pair?.verdict).toEqual({ kind: "faster", which: "a" });
  expect(pair?.pairCount).toBe(24);
  expect(pair?.shift.shift).toBeCloseTo(-39, -1);
  expect(pair?.ratio.interval?.high).toBeLessThan(0.8);
  expect(pair?.test.pValue).toBeLessThan(0.001);
});

test("the same endpoint twice is not distinguishable", () => {
  const random = createRandom(5);
  const [pair] = compareLegs({
    legs: [seriesOf(random, 118), seriesOf(random, 118)],
    pairs: [[0, 1]],
    random,
  }).pairs;
  expect(pair?.verdict).toEqual({ kind: "not distinguishable", because: "interval" });
});

test("a difference that is real and below the user's minimum is no verdict", () => {
  const random = createRandom(6);
  const small = { betweenSd: 0.1, withinSd: 0.1 };
  const legs = [seriesOf(random, 100, small), seriesOf(random, 103, small)];
  const compare = (minimumEffect?: { kind: "duration"; duration: number }) =>
    compareLegs({ legs, pairs: [[0, 1]], random: createRandom(1), ...(minimumEffect && { minimumEffect }) })
      .pairs[0]?.verdict;
  expect(compare()).toEqual({ kind: "not distinguishable", because: "minimum" });
  expect(compare({ kind: "duration", duration: 5 })).toEqual({
    kind: "not distinguishable",
    because: "minimum",
  });
  expect(compare({ kind: "duration", duration: 2 })).toEqual({ kind: "faster", which: "a" });
});

test("five runs are too few, however far apart", () => {
  const random = createRandom(6);
  const few = { runCount: 5 };
  const [pair] = compareLegs({
    legs: [seriesOf(random, 100, few), seriesOf(random, 900, few)],
    pairs: [[0, 1]],
    random,
  }).pairs;
  expect(pair?.verdict).toEqual({ kind: "too few runs", count: 5, countMin: 6 });
  expect(pair?.ratio.interval).toBeNull();
});

test("intervals on different sides of no difference are no verdict", () => {
  const verdict = verdictOf({
    count: 40,
    ratio: { value: 0.8, interval: { low: 0.7, high: 0.9, confidence: 0.95 } },
    shift: { shift: 1, interval: { low: 0.5, high: 2, confidence: 0.95 } },
    minimum: { kind: "share", share: 0.05 },
  });
  expect(verdict).toEqual({ kind: "not distinguishable", because: "interval" });
});

test("the same seed gives the same intervals, another seed others", () => {
  const legs = [seriesOf(createRandom(2), 100)];
  const run = (seed: number) => bootstrapMeans({ legs, random: createRandom(seed) });
  expect(run(9)).toEqual(run(9));
  expect(run(10).legs[0]?.interval).not.toEqual(run(9).legs[0]?.interval);
});

/** As a store keeps them: what the summary of each run says. */
function momentsOf({ slotsMs, offsets, values }: RunSeries): RunMoments {
  const runs = Array.from(slotsMs, (_, i) =>
    summariseRun({ ok: values.slice(offsets[i], offsets[i + 1]), censored: [] }),
  );
  return {
    slotsMs,
    means: runs.map(({ mean }) => mean ?? Number.NaN),
    meanVariances: runs.map(({ n, failureCount, sd }) => meanVarianceOf(n - failureCount, sd)),
    medians: runs.map(({ percentiles }) => percentiles.median.value ?? Number.NaN),
  };
}

test("a figure a run says the same as its samples", () => {
  const random = createRandom(3);
  const legs = [
    seriesOf(random, 118, { runCount: 110, size: 100 }),
    seriesOf(random, 157, { runCount: 110, size: 100 }),
  ];
  const compare = (of: (RunSeries | RunMoments)[]) =>
    compareLegs({ legs: of, pairs: [[0, 1]], random: createRandom(1) });
  const [samples, figures] = [compare(legs), compare(legs.map(momentsOf))];
  expect([samples.inner, figures.inner]).toEqual(["moments", "moments"]);
  const rounded = (of: typeof samples): unknown =>
    JSON.parse(JSON.stringify(of), (_, value) =>
      typeof value === "number" ? Number(value.toPrecision(9)) : value,
    );
  expect(rounded(figures)).toEqual(rounded(samples));
});

test("drawing single samples and drawing what they do to the mean give the same intervals", () => {
  const leg = seriesOf(createRandom(3), 100, { runCount: 40, size: 50, betweenSd: 2, withinSd: 30 });
  const drawn = bootstrapMeans({ legs: [leg], random: createRandom(1), drawCount: 4000 });
  const computed = bootstrapMeans({ legs: [momentsOf(leg)], random: createRandom(1), drawCount: 4000 });
  expect([drawn.inner, computed.inner]).toEqual(["samples", "moments"]);
  const width = ({ legs: [of] }: typeof drawn) => (of?.interval?.high ?? 0) - (of?.interval?.low ?? 0);
  expect(width(computed) / width(drawn)).toBeGreaterThan(0.93);
  expect(width(computed) / width(drawn)).toBeLessThan(1.07);
});

test("the interval of the mean holds the truth about as often as it says", () => {
  const random = createRandom(21);
  let held = 0;
  const rounds = 60;
  for (let round = 0; round < rounds; round += 1) {
    const legs = [seriesOf(random, 100, { runCount: 20, size: 2 })];
    const interval = bootstrapMeans({ legs, random }).legs[0]?.interval;
    if (interval && interval.low <= 100 && interval.high >= 100) held += 1;
  }
  expect(held / rounds).toBeGreaterThan(0.85);
});

test("slots that only one leg has are left out of the pair and stay in the leg", () => {
  const random = createRandom(8);
  const whole = seriesOf(random, 100);
  const part: RunSeries = {
    slotsMs: Array.from(whole.slotsMs).slice(4),
    offsets: Array.from(whole.offsets).slice(0, -4),
    values: whole.values.slice(80),
  };
  const result = compareLegs({ legs: [whole, part], pairs: [[0, 1]], random });
  expect(result.legs.map(({ runCount }) => runCount)).toEqual([24, 20]);
  expect(result.pairs[0]).toMatchObject({ pairCount: 20, unpairedCount: 4, shift: { shift: 0 } });
  expect(result.pairs[0]?.verdict).toEqual({ kind: "not distinguishable", because: "interval" });
});

test("a run whose median failed is not compared by its median", () => {
  const random = createRandom(8);
  const whole = seriesOf(random, 100);
  const failing = { ...whole, censoredCounts: Array.from({ length: 24 }, (_, run) => (run === 3 ? 30 : 0)) };
  const [pair] = compareLegs({ legs: [whole, failing], pairs: [[0, 1]], random }).pairs;
  expect(pair).toMatchObject({ pairCount: 24, unpairedCount: 1 });
});

test("all durations in another unit give the same ratio and verdict", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(2, 0.5, 1024), (seed, factor) => {
      const random = createRandom(seed);
      const legs = [seriesOf(random, 100, { size: 3 }), seriesOf(random, 106, { size: 3 })];
      const scaled = legs.map((leg) => ({ ...leg, values: leg.values.map((value) => factor * value) }));
      const compare = (of: RunSeries[]) =>
        compareLegs({ legs: of, pairs: [[0, 1]], random: createRandom(1) });
      const [one, other] = [compare(legs).pairs[0], compare(scaled).pairs[0]];
      expect(other?.ratio.value).toBeCloseTo(one?.ratio.value ?? 0, 10);
      expect(other?.verdict).toEqual(one?.verdict);
      expect(other?.shift.shift).toBeCloseTo(factor * (one?.shift.shift ?? 0), 8);
    }),
    { numRuns: 15 },
  );
});

test("imports without slots are compared without a verdict", () => {
  expect(compareUnpaired([1, 2, 3, 4, 5], [11, 12, 13, 14, 15])).toMatchObject({
    shift: { shift: -10 },
    test: { cliffsDelta: -1, magnitude: "large" },
  });
});

test("pairs are the slots of both", () => {
  const pairs = pairBySlot(
    { slotsMs: [1, 2, 4, 5], values: [10, 20, 40, 50] },
    { slotsMs: [2, 3, 5], values: [200, 300, 500] },
  );
  expect([...pairs.a, ...pairs.b]).toEqual([20, 50, 200, 500]);
  expect(pairs).toMatchObject({ onlyA: 2, onlyB: 1 });
});

const one: RunSeries = { slotsMs: [0], offsets: [0, 1], values: Float64Array.of(1) };
const figures: RunMoments = { slotsMs: [0], means: [1], meanVariances: [0], medians: [1] };
const bad: [name: string, legs: (RunSeries | RunMoments)[], sentence: RegExp][] = [
  ["a figure too few", [{ ...figures, medians: [] }], /1 runs need as many figures "median", not 0/],
  ["an infinite figure", [{ ...figures, means: [Number.POSITIVE_INFINITY] }], /Figure "mean" of run 0/],
  [
    "a variance below zero",
    [{ ...figures, meanVariances: [-1] }],
    /variance of run 0 of leg 0 is below zero/,
  ],
  ["no legs", [], /no legs/],
  ["no runs", [{ ...one, slotsMs: [] }], /There are no runs of leg 0/],
  ["an offset too few", [{ ...one, offsets: [0] }], /1 runs need 2 offsets, not 1/],
  ["offsets that end early", [{ ...one, offsets: [0, 0] }], /from 0 to the number of samples, 1/],
  ["NaN", [{ ...one, values: Float64Array.of(Number.NaN) }], /samples of leg 0 is NaN/],
  ["a slot twice", [{ ...one, slotsMs: [4, 4], offsets: [0, 1, 1] }], /slot 1 is not after/],
  [
    "nothing that succeeded",
    [{ slotsMs: [0], offsets: [0, 0], values: new Float64Array(0), censoredCounts: [4] }],
    /no run with a success/,
  ],
  ["no common slot", [one, { ...one, slotsMs: [9] }], /shares no slot/],
];

test.each(bad)("%s is refused in a sentence", (_, legs, sentence) => {
  const call = () => compareLegs({ legs, pairs: [[0, 1]], random: createRandom(1) });
  expect(call).toThrow(StatsError);
  expect(call).toThrow(sentence);
});

test("wrong parameters are refused in a sentence", () => {
  const legs = [one];
  expect(() => bootstrapMeans({ legs, random: createRandom(1), drawCount: 100 })).toThrow(/from 2000/);
  expect(() => bootstrapMeans({ legs, random: createRandom(1), pairs: [[0, 3]] })).toThrow(/legs 0 and 3/);
  expect(() => createRandom(-1)).toThrow(/The seed is -1/);
  expect(() => fasterOf(0, 3)).toThrow(/A duration is 0/);
  expect(() => pairBySlot({ slotsMs: [1], values: [] }, { slotsMs: [], values: [] })).toThrow(/Side a/);
  expect(() => pairBySlot({ slotsMs: [2, 1], values: [1, 1] }, { slotsMs: [], values: [] })).toThrow(
    /ascend/,
  );
});
