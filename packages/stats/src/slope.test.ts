import fc from "fast-check";
import { expect, test } from "vitest";
import { StatsError } from "./error.ts";
import { createRandom, randomNormal } from "./random.ts";
import { fitSlope } from "./slope.ts";

/** F. J. Anscombe, Graphs in Statistical Analysis (1973), the first data set sorted by x. */
const anscombe = {
  x: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
  y: [4.26, 5.68, 7.24, 4.82, 6.95, 8.81, 8.04, 8.33, 10.84, 7.58, 9.96],
};

test("Anscombe's first data set has the slope 0.5001, whose standard error of 0.1179 makes 0.2334 to 0.7668", () => {
  const { slope, interval, effectiveCount } = fitSlope(anscombe.x, anscombe.y);
  expect(slope).toBeCloseTo(0.50009, 5);
  expect(effectiveCount).toBe(11);
  expect(interval?.low).toBeCloseTo(0.2334, 3);
  expect(interval?.high).toBeCloseTo(0.7668, 3);
});

/** Coverage of the true slope by the interval if each error keeps a share of the previous one. */
function coverage(kept: number, count: number): number {
  const { uint32 } = createRandom(11);
  const x = Array.from({ length: count }, (_, i) => i);
  let held = 0;
  const trials = 1_000;
  for (let trial = 0; trial < trials; trial += 1) {
    let error = randomNormal(uint32);
    const y = x.map((each) => {
      error = kept * error + Math.sqrt(1 - kept ** 2) * randomNormal(uint32);
      return 0.03 * each + error;
    });
    const { interval } = fitSlope(x, y);
    if (interval === null || (interval.low <= 0.03 && interval.high >= 0.03)) held += 1;
  }
  return held / trials;
}

test.each([
  [0, 0.93, 0.98],
  [0.5, 0.9, 0.98],
  [0.8, 0.85, 1],
])(
  "the interval of 60 points contains the true slope when errors keep %d of the previous one",
  (kept, min, max) => {
    const share = coverage(kept, 60);
    expect(share).toBeGreaterThanOrEqual(min);
    expect(share).toBeLessThanOrEqual(max);
  },
);

test("a line without errors has an interval of zero width, and shifting it changes nothing", () => {
  fc.assert(
    fc.property(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -9, max: 9 }), (start, slope) => {
      const x = Array.from({ length: 12 }, (_, i) => start + i);
      const told = fitSlope(
        x,
        x.map((each) => slope * each),
      );
      expect(told.slope).toBeCloseTo(slope, 9);
      expect(told.interval?.low).toBeCloseTo(slope, 6);
      expect(told.interval?.high).toBeCloseTo(slope, 6);
    }),
  );
});

test("values that all follow from their neighbours are too few for an interval", () => {
  const x = Array.from({ length: 20 }, (_, i) => i);
  const { interval, effectiveCount } = fitSlope(
    x,
    x.map((each) => Math.sin(each / 4)),
  );
  expect(effectiveCount).toBeLessThan(5);
  expect(interval).toBeNull();
});

test.each([
  [
    [1, 2],
    [1, 2],
  ],
  [
    [1, 2, 3],
    [1, 2],
  ],
  [
    [1, 2, Number.NaN],
    [1, 2, 3],
  ],
  [
    [2, 2, 2],
    [1, 2, 3],
  ],
])("input without a slope is refused: %j", (x, y) => {
  expect(() => fitSlope(x, y)).toThrow(StatsError);
});
