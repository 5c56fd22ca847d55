import type { MetricSeries, TrendColumn } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { trendInWords, trendOfIncrease, trendOfLevel, trendOfTail } from "./trend.ts";

const endMs = [60_000, 120_000, 180_000, 240_000];
const series = (column: TrendColumn, values: readonly (number | null)[]): MetricSeries => ({
  labels: {},
  endMs: [],
  columns: { kind: "counter", increase: [] },
  trend: { column, stepMs: 60_000, firstEndMs: 60_000, values },
});

const drawn = { quantity: "seconds", tone: "stash" } as const;

test.each([
  ["p99", "p99"],
  ["p90", "p90"],
  ["max", "slowest"],
] as const)("the sparkline shows the statistic that the answer chose: %s", (column, what) => {
  const values = [1, null, 2, 3];
  expect(trendOfTail(series(column, values), drawn).trend).toMatchObject({
    what,
    values,
    kind: "line",
    endMs,
  });
});

test("a level is drawn as a share of its capacity", () => {
  const share = { what: "used share", perUnit: 4, quantity: "ratio", tone: "stash" } as const;
  expect(trendOfLevel(series("max", [2, 4, null, 2]), share).trend?.values).toEqual([0.5, 1, null, 0.5]);
});

test("a counter that never moved is drawn as zero where others reported, and not at all without them", () => {
  const count = { what: "number", quantity: "count", tone: "direct" } as const;
  const moved = trendOfIncrease(series("increase", [0, 3, 0, 0]), undefined, count);
  expect(moved.trend).toMatchObject({ kind: "bars", values: [0, 3, 0, 0] });
  const still = trendOfIncrease(undefined, series("max", [4, null, 4, 4]), count);
  expect(still.trend).toMatchObject({ kind: "bars", values: [0, null, 0, 0] });
  expect(trendOfIncrease(undefined, undefined, count)).toEqual({});
});

test.each([
  [[0.0041, null, 0.0092, 0.005], "line", "Purge lag, p99 of every 1 min: 4.1 to 9.2 ms, last 5 ms"],
  [[0.005, 0.005], "line", "Purge lag, p99 of every 1 min: always 5 ms, last 5 ms"],
  [[0, 0], "bars", "Purge lag, p99 of every 1 min: none"],
  [[null, null], "line", "Purge lag, p99 of every 1 min: too few samples in all of them"],
] as const)("the shape of %j is described in words", (values, kind, words) => {
  const trend = { ...drawn, what: "p99", kind, stepMs: 60_000, endMs: endMs.slice(0, values.length), values };
  expect(trendInWords("Purge lag", trend)).toBe(words);
});
