import type { MeasuredUploads } from "@stashlight/contracts/planner";
import { expect, test } from "vitest";
import { comparePrediction, verdictOn } from "./prediction.ts";

const measured: MeasuredUploads = {
  fromMs: 0,
  toMs: 1,
  sampleCount: 2000,
  modelled: [],
  p50Ms: 10,
  p99Ms: 50,
  p50Interval: { lowMs: 9, highMs: 11 },
  p99Interval: { lowMs: 40, highMs: 80 },
};
const verdict = (p50Ms: number, p99Ms: number, changes: Partial<MeasuredUploads> = {}) =>
  verdictOn(comparePrediction({ p50Ms, p99Ms }, { ...measured, ...changes }));

test("an error is a percentage of the measurement, and of both ends of its interval", () => {
  const [p50, p99] = comparePrediction({ p50Ms: 11, p99Ms: 60 }, measured);
  expect(p50?.errorPercent).toBeCloseTo(10);
  expect(p99?.errorPercent).toBeCloseTo(20);
  expect(p99?.errorRangePercent?.map(Math.round)).toEqual([-25, 50]);
});

test.each([
  ["both errors within the goal", 11, 55, {}, "within"],
  ["a p99 error above the goal that the samples cannot confirm", 10, 75, {}, "open"],
  ["a p99 error above the goal at both ends of its interval", 10, 100, {}, "outside"],
  [
    "a p50 error above the goal at both ends of its interval, and an uncertain p99 error",
    30,
    75,
    {},
    "outside",
  ],
  ["an error above the goal and no interval", 10, 75, { p99Interval: null }, "outside"],
  ["a p99 that was not measured", 10, 1000, { p99Ms: null, p99Interval: null }, "within"],
] as const)("the worst error decides a prediction with %s", (_, p50Ms, p99Ms, changes, expected) => {
  expect(verdict(p50Ms, p99Ms, changes)).toBe(expected);
});
