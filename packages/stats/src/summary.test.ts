import fc from "fast-check";
import { expect, test } from "vitest";
import { StatsError } from "./error.ts";
import { medianInterval } from "./median-interval.ts";
import { createRandom } from "./random.ts";
import { percentileSamplesMin } from "./rank.ts";
import { percentileNames, summariseRun } from "./summary.ts";
import { quietWorld, simulateSamples } from "./testing/calibration/world.ts";

const durations = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 300 });

test.each([
  [500_000, 5],
  [50_000, 59],
  [950_000, 59],
  [990_000, 299],
  [999_000, 2995],
])("the percentile at %i per million needs %i samples", (perMillion, count) => {
  expect(percentileSamplesMin(perMillion)).toBe(count);
});

test("a percentile is marked by whether it has enough samples", () => {
  const run = (count: number) => summariseRun({ ok: Array(count).fill(1), censored: [] }).percentiles;
  expect(run(58).p95.hasEnoughSamples).toBe(false);
  expect(run(59).p95).toEqual({ perMillion: 950_000, value: 1, hasEnoughSamples: true, samplesMin: 59 });
});

test("failures count and rank last, so that they make no endpoint faster", () => {
  const ok = Array.from({ length: 94 }, (_, i) => i + 1);
  const summary = summariseRun({ ok, censored: [2, 2, 2, 2, 2, 30_000] });
  expect(summary).toMatchObject({ n: 100, failureCount: 6, successRate: 0.94, mean: 47.5, min: 1, max: 94 });
  expect(summary.percentiles.median.value).toBe(50);
  expect(summary.percentiles.p95.value).toBeNull();
  expect(summary.medianInterval).toBeNull();
});

test("a run without a success has counts and no durations", () => {
  const summary = summariseRun({ ok: [], censored: [5, 5, 5] });
  expect(summary).toMatchObject({ n: 3, failureCount: 3, successRate: 0, mean: null, sd: null, min: null });
  expect(summary.percentiles.p5.value).toBeNull();
  expect(summary.medianInterval).toBeNull();
});

test("percentiles never fall as their share rises, and are within the samples", () => {
  fc.assert(
    fc.property(durations, (ok) => {
      const { percentiles, min, max } = summariseRun({ ok, censored: [] });
      const values = Object.keys(percentileNames).map((name) => percentiles[name as "p5"].value as number);
      const all = [min as number, ...values, max as number];
      expect(all).toEqual([...all].sort((a, b) => a - b));
    }),
  );
});

test("a run twice as slow has figures twice as large", () => {
  fc.assert(
    fc.property(durations, (ok) => {
      const one = summariseRun({ ok, censored: [] });
      const two = summariseRun({ ok: ok.map((value) => 2 * value), censored: [] });
      expect(two.mean).toBeCloseTo(2 * (one.mean as number), 6);
      expect(two.percentiles.p90.value).toBe(2 * (one.percentiles.p90.value as number));
    }),
  );
});

test("more than 94 % of intervals of the median contain it", () => {
  const { uint32 } = createRandom(11);
  let held = 0;
  const rounds = 2000;
  for (let round = 0; round < rounds; round += 1) {
    const interval = medianInterval(Float64Array.from({ length: 30 }, () => uint32() / 2 ** 32));
    if (interval !== null && interval.low <= 0.5 && interval.high >= 0.5) held += 1;
  }
  expect(held / rounds).toBeGreaterThan(0.94);
});

test.each([0, 0.4, 0.7])(
  "a run's interval contains the median as often as stated if the correlation of neighbouring samples is %d",
  (correlation) => {
    const { uint32 } = createRandom(11);
    let held = 0;
    const rounds = 2000;
    for (let round = 0; round < rounds; round += 1) {
      const ok = simulateSamples({ ...quietWorld, correlation }, 100, uint32);
      const interval = summariseRun({ ok, censored: [] }).medianInterval;
      if (interval !== null && interval.low <= 100 && interval.high >= 100) held += 1;
    }
    expect(held / rounds).toBeGreaterThan(0.93);
    expect(held / rounds).toBeLessThan(0.975);
  },
);

test("a median of 39 samples, or one whose upper rank failed, has no interval", () => {
  const ok = (count: number) => Array.from({ length: count }, (_, i) => 10 + ((i * 7) % 11));
  expect(summariseRun({ ok: ok(39), censored: [] }).medianInterval).toBeNull();
  expect(summariseRun({ ok: ok(40), censored: [] }).medianInterval).toMatchObject({ confidence: 0.95 });
  expect(
    summariseRun({ ok: ok(40), censored: Array.from({ length: 39 }, () => 5) }).medianInterval,
  ).toBeNull();
});

test.each([
  { ok: [], censored: [], reason: "empty", sentence: /no durations/ },
  { ok: [1, Number.NaN], censored: [], reason: "not-finite", sentence: /Value 1 of the durations is NaN/ },
  { ok: [Number.POSITIVE_INFINITY], censored: [], reason: "not-finite", sentence: /Infinity/ },
  { ok: [1], censored: [Number.NaN], reason: "not-finite", sentence: /durations of failures/ },
])("invalid durations are refused with an explanation: $reason", ({ ok, censored, reason, sentence }) => {
  expect(() => summariseRun({ ok, censored })).toThrow(
    expect.objectContaining({ name: "StatsError", reason, message: expect.stringMatching(sentence) }),
  );
  expect(() => summariseRun({ ok, censored })).toThrow(StatsError);
});

test("a single value, and values that are all equal, have a summary", () => {
  expect(summariseRun({ ok: [7], censored: [] })).toMatchObject({ n: 1, mean: 7, sd: null, min: 7, max: 7 });
  expect(summariseRun({ ok: Array.from({ length: 40 }, () => 7), censored: [] })).toMatchObject({
    mean: 7,
    sd: 0,
    medianInterval: { low: 7, high: 7 },
  });
});
