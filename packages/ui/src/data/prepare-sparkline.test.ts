import { expect, test } from "vitest";
import { prepareSparkline } from "./prepare-sparkline.ts";

const range = { fromMs: 0, toMs: 120_000 };
const stepMs = 10_000;

test("a line is drawn from zero to the maximum over the whole range", () => {
  const { line, area, extent } = prepareSparkline({
    range,
    stepMs,
    endMs: [10_000, 20_000, 30_000],
    values: [1, 2, 4],
  });
  expect(line).toBe("M0 20.5L10 20.5L20 14L30 1");
  expect(area).toBe("M0 20.5L10 20.5L20 14L30 1L30 28H0Z");
  expect(extent).toEqual({ least: 1, most: 4 });
});

test("the line breaks at gaps and missing values, and a lone point stays visible", () => {
  const { line } = prepareSparkline({
    range,
    stepMs,
    endMs: [10_000, 20_000, 60_000, 70_000, 80_000],
    values: [2, 2, 2, null, 2],
  });
  expect(line).toBe("M0 1L10 1L20 1M50 1L60 1M70 1L80 1");
});

test("counts are drawn as bars, except where there are none", () => {
  const { bars } = prepareSparkline({ range, stepMs, endMs: [10_000, 20_000], values: [0, 3] });
  expect(bars).toBe("M10 28V1H20V28Z");
});

test("a constant zero is drawn as a line on the baseline", () => {
  const { line, extent } = prepareSparkline({ range, stepMs, endMs: [10_000, 20_000], values: [0, 0] });
  expect(line).toBe("M0 27L10 27L20 27");
  expect(extent).toEqual({ least: 0, most: 0 });
});

test("points outside the range are left out, and nothing is drawn without points", () => {
  const { line, area, bars, extent } = prepareSparkline({
    range,
    stepMs,
    endMs: [-10_000, 0, 140_000],
    values: [5, 5, 5],
  });
  expect({ line, area, bars, extent }).toEqual({ line: "", area: "", bars: "", extent: null });
});
