import { expect, test } from "vitest";
import { basisCaveats, joinedStretches } from "./result-charts.ts";

const result = (bases: string) => ({
  stepSeconds: 10,
  durationSeconds: bases.length * 10 - 5,
  points: [...bases].map((letter, i) => ({
    second: i * 10,
    basis: letter === "e" ? ("exact" as const) : ("joined" as const),
  })),
});

test.each([
  ["eee", []],
  ["jjj", [[0, 25_000]]],
  ["ejje", [[10_000, 30_000]]],
  [
    "jejj",
    [
      [0, 10_000],
      [20_000, 35_000],
    ],
  ],
])("steps that were joined are hatched: %s in %o", (bases, expected) => {
  expect(joinedStretches(result(bases)).map(({ startMs, endMs }) => [startMs, endMs])).toEqual(expected);
});

test("the label beside a chart states that it is simulated, and explains its hatching", () => {
  expect(basisCaveats({ basis: "exact" })).toEqual(["simulated"]);
  expect(basisCaveats({ basis: "joined" })).toEqual(["simulated; hatched where joined"]);
});
