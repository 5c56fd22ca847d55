import { expect, test } from "vitest";
import { createRandom, randomNormal } from "../random.ts";
import { varianceComponents } from "./variance-components.ts";

/** Calcium of turnip greens (G. W. Snedecor, W. G. Cochran, Statistical Methods): plants, leaves, determinations. */
const turnips = [
  [
    [3.28, 3.09],
    [3.52, 3.48],
    [2.88, 2.8],
  ],
  [
    [2.46, 2.44],
    [1.87, 1.92],
    [2.19, 2.19],
  ],
  [
    [2.77, 2.66],
    [3.74, 3.44],
    [2.55, 2.55],
  ],
  [
    [3.78, 3.87],
    [4.07, 4.12],
    [3.31, 3.31],
  ],
];

test("the published example of plants, leaves and determinations gives the published components", () => {
  const { betweenHosts, betweenRuns, withinRuns } = varianceComponents(turnips);
  expect(betweenHosts.meanSquare).toBeCloseTo(2.5201, 4);
  expect(betweenRuns.meanSquare).toBeCloseTo(0.3288, 4);
  expect(withinRuns.meanSquare).toBeCloseTo(0.0067, 4);
  expect(betweenHosts.variance).toBeCloseTo(0.3652, 4);
  expect(betweenRuns.variance).toBeCloseTo(0.1611, 4);
  expect([betweenHosts, betweenRuns, withinRuns].map((level) => level.degreesOfFreedom)).toEqual([3, 8, 12]);
});

test("estimates from groups of unequal size are right on average, to within 8 %", () => {
  const { uint32 } = createRandom(5);
  const sums = [0, 0, 0];
  const repeats = 2_000;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const hosts = [[2, 9], [4], [3, 3, 12], [5, 2], [1, 7]].map((runs) => {
      const host = 3 * randomNormal(uint32);
      return runs.map((count) => {
        const run = host + 2 * randomNormal(uint32);
        return Array.from({ length: count }, () => run + randomNormal(uint32));
      });
    });
    const { betweenHosts, betweenRuns, withinRuns } = varianceComponents(hosts);
    for (const [i, { variance }] of [betweenHosts, betweenRuns, withinRuns].entries()) {
      sums[i] = (sums[i] as number) + variance / repeats;
    }
  }
  // Estimates cut off at zero raise the mean a little.
  for (const [i, truth] of [9, 4, 1].entries()) {
    expect(Math.abs((sums[i] as number) / truth - 1)).toBeLessThan(0.08);
  }
});

test("a negative estimate is zero and marked as such", () => {
  const { betweenHosts, betweenRuns } = varianceComponents([
    [
      [1, 9],
      [2, 8],
    ],
    [
      [0, 10],
      [3, 7],
    ],
  ]);
  expect(betweenHosts).toMatchObject({ variance: 0, meanSquare: 0 });
  expect(betweenRuns).toMatchObject({ variance: 0, wasNegative: true });
});

test.each([
  [[[[1, 2], [3]]], "at least two hosts"],
  [[[[1, 2]], [[3]]], "at least a host with two runs"],
  [[[[1], [2]], [[3]]], "at least a run with two values"],
  [[[[1, 2], []], [[3]]], "There are no values of a run."],
])("too little data for a level is refused: %j", (hosts, message) => {
  expect(() => varianceComponents(hosts)).toThrow(message);
});
