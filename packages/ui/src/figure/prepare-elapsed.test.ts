import { expect, test } from "vitest";
import { type ElapsedInput, prepareElapsed } from "./prepare-elapsed.ts";

const input: ElapsedInput = {
  seconds: 7_200,
  quantity: "count",
  lines: [
    {
      id: "served",
      label: "served",
      tone: "stash",
      points: [
        [0, 3_000],
        [1_800, 3_000],
        [1_800, 100],
        [7_200, 100],
      ],
    },
  ],
  columns: ["From"],
  rows: [[0]],
};

test("a line is scaled from zero to a round value above the maximum, with units on both axes", () => {
  const figure = prepareElapsed(input);
  expect(figure.marks).toMatchObject([
    {
      kind: "line",
      isDashed: false,
      points: [
        [0, 1],
        [0.25, 1],
        [0.25, 100 / 3_000],
        [1, 100 / 3_000],
      ],
    },
  ]);
  expect(figure.yTicks.at(-1)).toEqual({ at: 1, label: "3,000" });
  expect(figure.xTicks.map(({ label }) => label)).toEqual(["0", "0.5 h", "1 h", "1.5 h", "2 h"]);
});

test("the peaks and both ends of many points are kept", () => {
  const points = Array.from({ length: 50_000 }, (_, i) => [i, i === 31_234 ? 900 : i % 7] as const);
  const figure = prepareElapsed({
    ...input,
    seconds: 49_999,
    lines: [{ id: "a", label: "a", tone: "stash", points }],
  });
  const [line] = figure.marks;
  if (line?.kind !== "line") throw new Error("No line.");
  expect(line.points.length).toBeLessThanOrEqual(1_300);
  expect(Math.max(...line.points.map(([, y]) => y))).toBeCloseTo(0.9);
  expect([line.points[0]?.[0], line.points.at(-1)?.[0]]).toEqual([0, 1]);
});

test("an idle run is drawn as a line at zero, and a run without time as empty", () => {
  const flat = [
    { id: "a", label: "a", tone: "stash" as const, points: [[0, 0] as const, [7_200, 0] as const] },
  ];
  expect(prepareElapsed({ ...input, lines: flat }).marks).toMatchObject([
    {
      points: [
        [0, 0],
        [1, 0],
      ],
    },
  ]);
  expect(prepareElapsed({ ...input, seconds: 0, lines: [] }).isEmpty).toBe(true);
});
