import { expect, test } from "vitest";
import { StatsError } from "./error.ts";
import { meanInterval } from "./mean-interval.ts";
import { createRandom, randomNormal } from "./random.ts";
import { studentQuantile } from "./student.ts";

test.each([
  [0.95, 1, 12.7062],
  [0.95, 2, 4.30265],
  [0.95, 3, 3.18245],
  [0.95, 5, 2.57058],
  [0.95, 10, 2.22814],
  [0.95, 29, 2.04523],
  [0.95, 1000, 1.96234],
  [0.99, 4, 4.60409],
  [0.9, 7, 1.89458],
])("the central %d of Student's t with %i degrees of freedom is within %d", (between, degrees, t) => {
  expect(studentQuantile(1 - between, degrees)).toBeCloseTo(t, 4);
});

test("the interval of three runs is the mean plus or minus its standard error times t", () => {
  // The standard deviation is 10, so the interval extends 4.30265 x 10 / sqrt(3) to either side.
  const { runCount, mean, interval } = meanInterval([90, 100, 110]);
  expect([runCount, mean]).toEqual([3, 100]);
  expect(interval?.low).toBeCloseTo(100 - 24.8414, 3);
  expect(interval?.high).toBeCloseTo(100 + 24.8414, 3);
});

test("the interval of two runs that differ widely ends at 0, because no duration is negative", () => {
  const { mean, interval } = meanInterval([40, 60]);
  expect(mean).toBe(50);
  expect(interval?.low).toBe(0);
  expect(interval?.high).toBeCloseTo(50 + 127.062, 2);
  expect(() => meanInterval([40, -1])).toThrow(StatsError);
});

test("one run has no interval, and zero runs have no mean", () => {
  expect(meanInterval([100])).toEqual({ runCount: 1, mean: 100, interval: null });
  expect(() => meanInterval([])).toThrow(StatsError);
});

test.each([0, 0.1, 0.2])(
  "with runs that differ by a deviation of %d, 95 %% intervals of 2, 3, 6 and 12 runs contain the truth in 93 to 97 %%",
  (deviation) => {
    const { uint32 } = createRandom(11);
    const normal = () => randomNormal(uint32);
    for (const runCount of [2, 3, 6, 12]) {
      let held = 0;
      const trials = 2000;
      for (let trial = 0; trial < trials; trial += 1) {
        const runs = Array.from({ length: runCount }, () => {
          const level = 100 * (1 + deviation * normal());
          let sum = 0;
          for (let i = 0; i < 30; i += 1) sum += level + 20 * normal();
          return sum / 30;
        });
        const { interval } = meanInterval(runs);
        expect(interval?.low).toBeGreaterThanOrEqual(0);
        if (interval !== null && interval.low <= 100 && 100 <= interval.high) held += 1;
      }
      expect(held / trials).toBeGreaterThan(0.93);
      expect(held / trials).toBeLessThan(0.97);
    }
  },
);
