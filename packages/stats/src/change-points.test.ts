import fc from "fast-check";
import { expect, test } from "vitest";
import reference from "../fixtures/scipy.json" with { type: "json" };
import { findChangePoints } from "./change-points.ts";
import { StatsError } from "./error.ts";
import { createRandom, randomNormal } from "./random.ts";

/** Draws a series with these levels and numbers of values, and noise of this standard deviation. */
function drawSeries(seed: number, levels: readonly [level: number, count: number][], sd = 3): number[] {
  const { uint32 } = createRandom(seed);
  return levels.flatMap(([level, count]) =>
    Array.from({ length: count }, () => level + sd * randomNormal(uint32)),
  );
}

const find = (values: readonly number[], options = {}) =>
  findChangePoints(values, { random: createRandom(1), ...options });

test("a series with one change is split at the place that all distances give", () => {
  const [row] = reference.divergences;
  const [point] = find(row?.values ?? []);
  expect(point?.index).toBe(row?.split);
  expect(point?.pValue).toBe(0.001);
});

test("noise around a level has no change", () => {
  expect(find(reference.divergences[1]?.values ?? [])).toEqual([]);
});

test("changes up and down are found at their places, with their sizes", () => {
  const points = find(
    drawSeries(3, [
      [100, 60],
      [115, 90],
      [100, 40],
    ]),
  );
  expect(points).toHaveLength(2);
  expect(Math.abs((points[0]?.index ?? 0) - 60)).toBeLessThanOrEqual(2);
  expect(Math.abs((points[1]?.index ?? 0) - 150)).toBeLessThanOrEqual(2);
  expect(points[0]?.change).toBeCloseTo(0.15, 1);
  expect(points[1]?.change).toBeLessThan(-0.1);
});

test("a regression is found after six runs", () => {
  const values = drawSeries(5, [
    [100, 40],
    [120, 6],
  ]);
  expect(find(values).map(({ index }) => index)).toEqual([40]);
});

test("a change below the minimum magnitude is ignored", () => {
  const values = drawSeries(
    7,
    [
      [100, 30],
      [103, 30],
    ],
    0.2,
  );
  expect(find(values)).toEqual([]);
  expect(find(values, { magnitudeMin: 0.02 })).toHaveLength(1);
});

test("a single slow run is not a change of level", () => {
  const values = drawSeries(9, [[100, 80]]);
  values[40] = 900;
  expect(find(values)).toEqual([]);
});

test("noise around one level of two thousand runs has no change points", () => {
  expect(find(drawSeries(13, [[100, 2000]]))).toEqual([]);
});

test("the same seed gives the same change points, and scaled values keep their indexes", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500 }), (seed) => {
      const values = drawSeries(seed, [
        [100, 20],
        [130, 20],
      ]);
      const points = find(values);
      expect(find(values)).toEqual(points);
      const scaled = find(values.map((value) => 4 * value));
      expect(scaled.map(({ index }) => index)).toEqual(points.map(({ index }) => index));
      expect(points).toHaveLength(1);
    }),
    { numRuns: 5 },
  );
});

test.each([
  ["nothing", []],
  ["one value", [5]],
  ["seven values", [1, 1, 1, 1, 9, 9, 9]],
  ["equal values", Array(100).fill(5)],
])("a series of %s has no change points", (_, values) => {
  expect(find(values)).toEqual([]);
});

test.each([
  [[1, Number.NaN], {}, /Value 1 of the values is NaN/],
  [[1], { windowLength: 5 }, /The window is 5; it must be a whole number from 8 to 500/],
  [[1], { pMax: 0 }, /The largest p is 0/],
  [[1], { magnitudeMin: -1 }, /The smallest magnitude is -1/],
  [[1], { levelLengthMin: 40 }, /The shortest level is 40/],
])("invalid input is refused with an explanation", (values, options, sentence) => {
  expect(() => find(values, options)).toThrow(StatsError);
  expect(() => find(values, options)).toThrow(sentence);
});
