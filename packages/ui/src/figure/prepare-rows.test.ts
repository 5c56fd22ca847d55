import { expect, test } from "vitest";
import { prepareCounts, prepareCurves, prepareRows, prepareTornado } from "./prepare-rows.ts";

test("bars begin at zero and share an axis with the limit", () => {
  const figure = prepareRows(
    [
      { label: "endurance", value: 6.4, tone: "warning", note: "binding" },
      { label: "fsync", value: 1.25, tone: "stash", note: "" },
    ],
    { xLabel: "drives", limit: { value: 8, label: "installed" } },
  );
  expect(figure.marks[0]).toMatchObject({ kind: "rows", rows: [[0.75, 0, 0.8, 0.3]] });
  expect(figure.marks.at(-1)).toMatchObject({
    kind: "line",
    points: [
      [1, 0],
      [1, 1],
    ],
  });
  expect(figure.rows[0]).toEqual(["endurance", 6.4, "binding"]);
});

test("a tornado extends to both sides of the current result", () => {
  const figure = prepareTornado([{ label: "Uploads", atLow: 8, atHigh: 12, note: "" }], {
    middle: 10,
    xLabel: "drives",
    ends: ["-20 %", "+20 %"],
  });
  const [low, high, middle] = figure.marks;
  expect(low?.kind === "rows" && low.rows[0]?.[2]).toBeCloseTo(
    high?.kind === "rows" ? (high.rows[0]?.[1] ?? 0) : 0,
  );
  expect(middle).toMatchObject({ id: "present" });
  expect(figure.columns).toEqual(["Input", "drives, -20 %", "drives, +20 %", "Note"]);
});

test("curves share one axis from zero, and have a gap where they have no point", () => {
  const figure = prepareCurves(
    [
      {
        label: "Load",
        tone: "stash",
        isDashed: false,
        points: [
          [0, 5],
          [12, 10],
        ],
      },
      { label: "Pool", tone: "warning", isDashed: true, points: [[0, 8]] },
    ],
    { quantity: "count", yLabel: "drives", xLabel: "month", xTicks: [{ x: 0, label: "now" }], xMax: 12 },
  );
  expect(figure.marks[0]).toMatchObject({
    points: [
      [0, 0.5],
      [1, 1],
    ],
  });
  expect(figure.rows).toEqual([
    [0, 5, 8],
    [12, 10, null],
  ]);
});

test("each count above zero has a bar", () => {
  const figure = prepareCounts(
    [
      { from: 7, to: 7, share: 0.8 },
      { from: 8, to: 8, share: 0 },
      { from: 9, to: 9, share: 0.2 },
    ],
    "servers",
  );
  expect(figure.marks[0]?.kind === "bars" && figure.marks[0].bars).toHaveLength(2);
  expect(figure.xTicks.map(({ label }) => label)).toEqual(["7", "8", "9"]);
  expect(figure.rows[0]).toEqual([7, 7, 80]);
});

test("a figure without data is reported as empty", () => {
  expect(prepareRows([], { xLabel: "drives" }).isEmpty).toBe(true);
  expect(prepareCounts([], "servers").isEmpty).toBe(true);
});
