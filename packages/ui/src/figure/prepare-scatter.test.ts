import { expect, test } from "vitest";
import { prepareScatter, type ScatterGroup } from "./prepare-scatter.ts";

const options = {
  xLabel: "price, $",
  yLabel: "load",
  yUnit: "×",
  nameLabel: "Pool",
  limit: { y: 1, label: "the load fits" },
};
const group = (label: string, points: ScatterGroup["points"], isHollow = false): ScatterGroup => ({
  label,
  tone: "stash",
  isHollow,
  points,
});

test("each group is drawn in its place, the limit across, and the table lists all items", () => {
  const figure = prepareScatter(
    [
      group("too few", [{ x: 100, y: 0.5, name: "1 server", note: "too few" }], true),
      group("enough", [{ x: 200, y: 2, name: "2 servers", note: "" }]),
      group("nothing", []),
    ],
    options,
  );
  expect(figure.marks.map(({ id, kind }) => [id, kind])).toEqual([
    ["limit", "line"],
    ["too few", "points"],
    ["enough", "points"],
  ]);
  const [limit, few, enough] = figure.marks.map((mark) => ("points" in mark ? mark.points[0] : undefined));
  expect(few?.[0]).toBeCloseTo((enough?.[0] ?? 0) / 2, 9);
  expect(few?.[1]).toBeCloseTo((limit?.[1] ?? 0) / 2, 9);
  expect(figure.yTicks.at(-1)?.label).toMatch(/×$/);
  expect(figure.columns).toEqual(["Pool", "price, $", "load", "Note"]);
  expect(figure.rows).toEqual([
    ["1 server", 100, 0.5, "too few"],
    ["2 servers", 200, 2, ""],
  ]);
});

test("nothing is drawn without points", () => {
  expect(prepareScatter([], options).isEmpty).toBe(true);
});
