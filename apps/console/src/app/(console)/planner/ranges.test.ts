import type { LiveInputs } from "@stashlight/contracts/planner";
import { defaultPlanInput, explainPlan, type UncertainRange } from "@stashlight/planner";
import { expect, test } from "vitest";
import {
  checkRows,
  formatRange,
  prepareRangeRows,
  type RangeDrafts,
  type RangeRowsOptions,
  rangesToSave,
  toDrafts,
} from "./ranges.ts";

const input = defaultPlanInput;
const options: RangeRowsOptions = {
  input,
  sensitivities: explainPlan(input).sensitivities,
  share: 0.2,
  live: undefined,
  fromFleet: new Set(),
  given: {},
};
const findRow = (more: Partial<RangeRowsOptions>, variable: string) => {
  const rows = prepareRangeRows({ ...options, ...more });
  return { rows, at: rows.findIndex((row) => row.variable === variable) };
};

test("without other data a range is a share around the value, and no plan keeps it", () => {
  const { rows, at } = findRow({}, "uploadsPerSecond");
  expect(rows[at]).toMatchObject({
    origin: "around",
    source: "± 20 %",
    draft: { shape: "uniform", low: "1600", mode: "", high: "2400" },
  });
  expect(rangesToSave(rows)).toEqual([]);
});

test("a value from the fleet has the fleet's range, which a plan keeps, because it cannot be recomputed", () => {
  const figure = { value: 2000, range: { low: 1500, high: 4000, over: "hours" } };
  const live = { uploadsPerSecond: { figure, missing: null } } as unknown as LiveInputs;
  const { rows, at } = findRow({ live, fromFleet: new Set(["uploadsPerSecond"]) }, "uploadsPerSecond");
  expect(rows[at]).toMatchObject({ origin: "fleet", source: "fleet, hours" });
  expect(rangesToSave(rows)).toEqual([
    { variable: "uploadsPerSecond", shape: "triangular", low: 1500, mode: 2000, high: 4000 },
  ]);
});

test.each([
  ["low", "many", "Enter a number."],
  ["low", "-400", "Growth must be from -90 % to 1,000 % a year."],
  ["high", "", "Enter a number."],
  ["high", "1e30", "Growth must be from -90 % to 1,000 % a year."],
  ["high", "5", "A range must not end below its beginning."],
  ["mode", "", "A triangular range needs a likeliest value."],
  ["mode", "99", "The likeliest value must be within the range."],
] as const)(
  "an error for %s of %j is shown at its field, and nothing is simulated",
  (leaf, text, sentence) => {
    const growthPerYear = { shape: "triangular", low: "10", mode: "30", high: "50" } as const;
    const wrong = { ...growthPerYear, [leaf]: text };
    const { rows, at } = findRow({ given: { growthPerYear: wrong } }, "growthPerYear");
    const checked = checkRows(rows);
    expect(checked.ranges).toBeNull();
    expect(checked.problemOf(at, leaf)).toBe(sentence);
  },
);

test("given ranges are saved in the units of the input, and restored as typed", () => {
  const given: RangeDrafts = {
    growthPerYear: { shape: "triangular", low: "10", mode: "33.3", high: "50" },
    uploadsPerSecond: { shape: "log-uniform", low: "1000", mode: "", high: "10000" },
  };
  const saved = rangesToSave(prepareRangeRows({ ...options, given }));
  expect(saved).toContainEqual({
    variable: "growthPerYear",
    shape: "triangular",
    low: 0.1,
    mode: 0.333,
    high: 0.5,
  });
  expect(toDrafts(JSON.parse(JSON.stringify(saved)))).toEqual(given);
  expect(toDrafts("of an older kind")).toEqual({});
});

test("a given range stays when its input no longer moves the answer most", () => {
  const given: RangeDrafts = { writesPerShard: { shape: "uniform", low: "1", mode: "", high: "2" } };
  const { rows } = findRow({ given, sensitivities: [] }, "writesPerShard");
  expect(rows.map(({ variable, origin }) => [variable, origin])).toEqual([["writesPerShard", "given"]]);
});

test.each<[UncertainRange, string]>([
  [
    { variable: "growthPerYear", shape: "triangular", low: 0.1, mode: 0.3, high: 0.5 },
    "10 to 50 % a year, most likely 30",
  ],
  [
    { variable: "uploadsPerSecond", shape: "log-uniform", low: 1000, high: 10_000 },
    "1,000 to 10,000 1/s, by order of magnitude",
  ],
])("a range is shown in the units of its field", (range, words) => {
  expect(formatRange(range)).toBe(words);
});
