import { expect, test } from "vitest";
import { colourLightness, mixColours } from "./colours.ts";
import { type ChartPalette, toOption } from "./option.ts";
import { prepareHeatmap } from "./prepare-heatmap.ts";
import { prepareLines } from "./prepare-lines.ts";

const palette: ChartPalette = {
  tones: {
    stash: "#6eaaff",
    pod: "#e3b341",
    direct: "#9db0c6",
    coordinator: "#bb9fff",
    "series-1": "#a3b0ff",
    "series-2": "#ee93d0",
    "series-3": "#4fc6c9",
    "series-4": "#e39a7c",
    "series-5": "#b9c653",
    "series-6": "#c3b1a0",
    "accent-ink": "#a3b0ff",
    good: "#4ac48b",
    warning: "#f59a52",
    bad: "#ff857c",
    unknown: "#99a3b2",
  },
  surface: "#14181f",
  line: "#252b35",
  faint: "#8993a3",
  ink: "#151a21",
  font: "sans-serif",
};

test.each([
  ["#14181f", "#e3b341"],
  ["#ffffff", "#835500"],
  ["#14181f", "#6eaaff"],
  ["#ffffff", "#1c5bc2"],
])("lightness changes evenly from %s to %s", (from, to) => {
  const steps = Array.from({ length: 11 }, (_, i) => colourLightness(mixColours(from, to, i / 10)));
  const whole = (steps[10] ?? 0) - (steps[0] ?? 0);
  for (let i = 1; i <= 10; i++) {
    expect(((steps[i] ?? 0) - (steps[i - 1] ?? 0)) / whole).toBeCloseTo(0.1, 1);
  }
  expect(mixColours(from, to, 0)).toBe(from);
  expect(mixColours(from, to, 1)).toBe(to);
});

test("a short colour is read as its long form", () => {
  expect(mixColours("#fff", "#1c5bc2", 0.3)).toBe(mixColours("#ffffff", "#1c5bc2", 0.3));
});

test("no latency value is sampled away on its way to the screen", () => {
  const endMs = Array.from({ length: 5_000 }, (_, i) => (i + 1) * 1_000);
  const chart = prepareLines({
    range: { fromMs: 0, toMs: 5_000_000 },
    stepMs: 1_000,
    quantity: "seconds",
    utcOffsetMs: 0,
    isLatency: true,
    lines: [
      { id: "p99", label: "p99", tone: "stash", endMs, values: endMs.map((_, i) => (i === 777 ? 9 : 0.001)) },
    ],
  });
  const { series } = toOption(chart, palette, { left: 0, right: 0, top: 0, bottom: 0 });
  const [line] = Array.isArray(series) ? series : [series];
  expect(line).not.toHaveProperty("sampling");
  expect(line?.data).toHaveLength(5_000);
});

test("cells of similar count are drawn as one path, so that a heatmap appears at once", () => {
  const columns = 160;
  const endMs = Array.from({ length: columns }, (_, i) => (i + 1) * 1_000);
  const chart = prepareHeatmap({
    range: { fromMs: 0, toMs: columns * 1_000 },
    stepMs: 1_000,
    quantity: "seconds",
    utcOffsetMs: 0,
    tone: "pod",
    endMs,
    bounds: [0.001, 0.002, 0.004],
    counts: endMs.map((_, column) => [100, column === 7 ? 1 : 0]),
  });
  const { series } = toOption(chart, palette, { left: 0, right: 0, top: 0, bottom: 0 });
  const cells = [series ?? []].flat().find(({ id }) => id === "cells-cells");
  if (cells?.type !== "custom" || cells.renderItem === undefined) throw new Error("The chart has no cells.");
  expect(cells.data).toEqual([[0], [1]]);
  const drawn = [0, 1].map((index) => {
    const api = { value: () => index, coord: ([x = 0, y = 0]: number[]) => [x, -y] };
    const item = cells.renderItem?.({} as never, api as never);
    return item?.type === "path" ? item : null;
  });
  expect(drawn.map((path) => path?.shape?.pathData?.match(/M/g)?.length)).toEqual([columns, 1]);
  expect(drawn[1]?.shape?.pathData).toMatch(/^M7000 [\d.-]+h1000.5v[\d.]+h-1000.5z$/);
  expect(drawn[0]?.style?.fill).not.toBe(drawn[1]?.style?.fill);
});
