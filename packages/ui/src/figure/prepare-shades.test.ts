import { expect, test } from "vitest";
import { prepareShades } from "./prepare-shades.ts";

const prepare = (rows: { label: string; values: (number | null)[] }[]) =>
  prepareShades({
    stepSeconds: 10,
    quantity: "seconds",
    rows,
    columns: ["Drive", "Second", "Mean latency, ms"],
    inTable: (seconds) => seconds * 1_000,
  });

test("shades follow the logarithm of a value, and the label gives the ends of the scale", () => {
  const figure = prepare([
    { label: "a", values: [0.001, 0.01] },
    { label: "b", values: [0.1, 0.01] },
  ]);
  const [mark] = figure.marks;
  if (mark?.kind !== "shades") throw new Error("There are no shades.");
  const shares = mark.shades.map(([, , , share]) => share);
  expect(shares[0]).toBeCloseTo(0.12);
  expect(shares[1]).toBeCloseTo(0.56);
  expect(shares[2]).toBeCloseTo(1);
  expect(mark.shades.map(([across]) => across)).toEqual([0.75, 0.75, 0.25, 0.25]);
  expect(figure.yTicks).toEqual([
    { at: 0.75, label: "a" },
    { at: 0.25, label: "b" },
  ]);
  expect(figure.xLabel).toBe("since the start; palest 1 ms, strongest 100 ms");
});

test("unmeasured times are empty in the chart and in the table", () => {
  const figure = prepare([{ label: "a", values: [0.002, null, 0.002] }]);
  const [mark] = figure.marks;
  if (mark?.kind !== "shades") throw new Error("There are no shades.");
  expect(mark.shades.map(([, from, to, share]) => [from, to, share])).toEqual([
    [0, 1 / 3, 1],
    [2 / 3, 1, 1],
  ]);
  expect(figure.rows).toEqual([
    ["a", 0, 2],
    ["a", 10, null],
    ["a", 20, 2],
  ]);
});

test("the chart is empty without values", () => {
  expect(prepare([]).isEmpty).toBe(true);
  expect(prepare([{ label: "a", values: [null] }]).isEmpty).toBe(true);
});
