import fc from "fast-check";
import { expect, test } from "vitest";
import { checkRanges, defaultPlanInput, rangeAround, runMonteCarlo, type UncertainRange } from "../index.ts";
import { rangeQuantile } from "./ranges.ts";

const busy = {
  ...defaultPlanInput,
  uploadsPerSecond: 20_000,
  installed: { servers: 8, drivesPerServer: 10, driveCapacityBytes: null, driveFsyncPerSecond: null },
};
const uploads: UncertainRange = {
  variable: "uploadsPerSecond",
  shape: "uniform",
  low: 10_000,
  high: 30_000,
};

test("the same seed gives the same answer, and another seed a different one", () => {
  const answer = (seed: number) => runMonteCarlo({ input: busy, ranges: [uploads], draws: 1000, seed });
  expect(answer(5)).toEqual(answer(5));
  expect(answer(5).bars).not.toEqual(answer(6).bars);
});

test("a distribution matches a hand calculation", () => {
  const answer = runMonteCarlo({ input: busy, ranges: [uploads], draws: 10_000, seed: 1 });
  // Endurance needs 6.386688 drives for 2,000 uploads per second, so 7 servers up to 60 drives, which are 18,789
  // uploads, and the 8 installed up to 70, which are 21,920: 43.9 % and 59.6 % of the way from 10,000 to 30,000.
  expect(answer.placementDecidesShare).toBeCloseTo(0.4394, 1);
  expect(answer.installedSufficesShare).toBeCloseTo(0.596, 1);
  // The plan for 20,000 uploads has the installed number of servers.
  expect(answer.plannedSufficesShare).toBe(answer.installedSufficesShare);
  expect(answer.drivesForLoad.p50 / 63.9).toBeCloseTo(1, 1);
  expect(answer.servers).toMatchObject({ min: 7, max: 11 });
  expect(answer.bindingShares).toMatchObject({ endurance: 1, capacity: 0 });
  expect(answer.bars.map(({ from }) => from)).toEqual([7, 8, 9, 10, 11]);
  expect(answer.bars.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
  expect(answer.sentence).toMatch(
    /^70 to 110 drives in nine of ten draws, 80 in the middle, of 10,000 draws; the planned pool suffices in \d\d(\.\d)? %, the installed pool in \d\d(\.\d)? %; placement decides in 4\d(\.\d)? %\.$/,
  );
});

test("draws for an installed pool use its own drives instead of the plan's", () => {
  const installed = { servers: 8, drivesPerServer: 10, driveCapacityBytes: 128e6, driveFsyncPerSecond: null };
  const ranges: UncertainRange[] = [
    uploads,
    { variable: "drive.capacityBytes", shape: "uniform", low: 3e12, high: 4e12 },
  ];
  const answer = runMonteCarlo({ input: { ...busy, installed }, ranges, draws: 1000, seed: 3 });
  expect(answer.installedSufficesShare).toBe(0);
  expect(answer.plannedSufficesShare).toBeGreaterThan(0.5);
  expect(answer.sentence).toContain("the installed pool in none;");
});

test("a saved range for the number of drives per server is dropped, and the others are kept", () => {
  const saved = { variable: "drivesPerServer", shape: "uniform", low: 8, high: 12 };
  expect(checkRanges([saved, uploads])).toEqual({ ranges: [uploads], problems: [] });
  const { problems } = checkRanges([saved, { ...uploads, low: Number.NaN }]);
  expect(problems.map(({ field }) => field)).toEqual(["1.low"]);
});

test("a spread over many servers is shown in at most 40 bars that include every draw", () => {
  const ranges: UncertainRange[] = [
    { variable: "uploadsPerSecond", shape: "log-uniform", low: 1000, high: 1_000_000 },
  ];
  const { bars, draws } = runMonteCarlo({ input: busy, ranges, draws: 5000, seed: 2 });
  expect(bars.length).toBeLessThanOrEqual(40);
  expect(bars.reduce((sum, bar) => sum + bar.draws, 0)).toBe(draws);
});

test.each<[string, UncertainRange, number, number]>([
  ["uniform", uploads, 20_000, 20_000],
  ["log-uniform", { ...uploads, shape: "log-uniform", low: 100, high: 10_000 }, 1000, 2149.8],
  ["triangular", { ...uploads, shape: "triangular", low: 0, mode: 30, high: 60 }, 30, 30],
])("a %s range has the median and the mean of its distribution", (_name, range, median, mean) => {
  expect(rangeQuantile(range, 0.5)).toBeCloseTo(median, 6);
  const count = 20_000;
  let sum = 0;
  for (let at = 0; at < count; at += 1) sum += rangeQuantile(range, (at + 0.5) / count);
  expect(sum / count / mean).toBeCloseTo(1, 3);
});

test("a quantile is within its range and rises with the share", () => {
  const ordered = fc
    .tuple(fc.double({ min: 0.01, max: 1e6, noNaN: true }), fc.double({ min: 0.01, max: 1e6, noNaN: true }))
    .map((ends) => ends.toSorted((a, b) => a - b) as [number, number]);
  const share = fc.double({ min: 0, max: 0.999999, noNaN: true });
  fc.assert(
    fc.property(
      ordered,
      share,
      share,
      share,
      fc.constantFrom("uniform", "triangular", "log-uniform"),
      ([low, high], at, a, b, shape) => {
        const range: UncertainRange = {
          variable: "uploadsPerSecond",
          shape,
          low,
          high,
          mode: low + at * (high - low),
        };
        const [first, second] = [rangeQuantile(range, Math.min(a, b)), rangeQuantile(range, Math.max(a, b))];
        const slack = high * 1e-9;
        expect(first).toBeGreaterThanOrEqual(low - slack);
        expect(second).toBeLessThanOrEqual(high + slack);
        expect(second).toBeGreaterThanOrEqual(first - slack);
      },
    ),
  );
});

test.each<[unknown, string, string]>([
  [[{ ...uploads, low: 5, high: 1 }], "0.high", "A range must not end below its beginning."],
  [[{ ...uploads, high: 1e30 }], "0.high", "Uploads per second must be above 0 and at most 1,000,000,000."],
  [[{ ...uploads, low: Number.NaN }], "0.low", "Enter a number."],
  [[{ ...uploads, variable: "dataShards" }], "0.variable", "This input cannot have a range."],
  [[{ ...uploads, shape: "normal" }], "0.shape", "A range must be uniform, triangular or log-uniform."],
  [[{ ...uploads, shape: "triangular" }], "0.mode", "A triangular range needs a likeliest value."],
  [
    [{ ...uploads, shape: "triangular", mode: Number.NaN }],
    "0.mode",
    "A triangular range needs a likeliest value.",
  ],
  [[{ ...uploads, shape: "triangular", mode: 1 }], "0.mode", "The likeliest value must be within the range."],
  [
    [{ ...uploads, variable: "outageSeconds", shape: "log-uniform", low: 0 }],
    "0.low",
    "A log-uniform range must begin above 0.",
  ],
  [[uploads, uploads], "1.variable", "This input already has a range."],
  ["all", "", "Ranges must be a list."],
])("invalid ranges %j are explained at their field", (given, field, message) => {
  expect(checkRanges(given)).toMatchObject({ ranges: null });
  expect(checkRanges(given).problems).toContainEqual({ field, message });
});

test("a range around an input stays within the input's bounds", () => {
  expect(rangeAround(defaultPlanInput, "maxFill", 0.6)).toMatchObject({ high: 1 });
  expect(rangeAround({ ...defaultPlanInput, growthPerYear: -0.5 }, "growthPerYear", 0.2)).toMatchObject({
    low: -0.6,
    high: -0.4,
  });
  expect(checkRanges([rangeAround(defaultPlanInput, "objects.bytes", 0.5)]).problems).toEqual([]);
});
