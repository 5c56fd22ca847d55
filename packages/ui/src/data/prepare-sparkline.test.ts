import { expect, test } from "vitest";
import { prepareSparkline } from "./prepare-sparkline.ts";

const range = { fromMs: 0, toMs: 120_000 };
const stepMs = 10_000;

test("draws a line from zero to the maximum over the whole range", () => {
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

test("breaks the line at gaps and missing values, and keeps a lone point visible", () => {
  const { line } = prepareSparkline({
    range,
    stepMs,
    endMs: [10_000, 20_000, 60_000, 70_000, 80_000],
    values: [2, 2, 2, null, 2],
  });
  expect(line).toBe("M0 1L10 1L20 1M50 1L60 1M70 1L80 1");
});

test("draws bars for counts, and none where there are none", () => {
  const { bars } = prepareSparkline({ range, stepMs, endMs: [10_000, 20_000], values: [0, 3] });
  expect(bars).toBe("M10 28V1H20V28Z");
});

test("draws constant zero as a line on the baseline", () => {
  const { line, extent } = prepareSparkline({ range, stepMs, endMs: [10_000, 20_000], values: [0, 0] });
  expect(line).toBe("M0 27L10 27L20 27");
  expect(extent).toEqual({ least: 0, most: 0 });
});

test("leaves out points outside the range, and draws nothing without points", () => {
  const { line, area, bars, extent } = prepareSparkline({
    range,
    stepMs,
    endMs: [-10_000, 0, 140_000],
    values: [5, 5, 5],
  });
  expect({ line, area, bars, extent }).toEqual({ line: "", area: "", bars: "", extent: null });
});
