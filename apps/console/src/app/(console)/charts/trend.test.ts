import type { MetricColumns, MetricSeries } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { trendInWords, trendOfIncrease, trendOfLevel, trendOfTail } from "./trend.ts";

const endMs = [60_000, 120_000, 180_000, 240_000];
const none = { kind: "counter", increase: [] } as const;
const series = (columns: MetricColumns): MetricSeries => ({
  labels: {},
  endMs: [],
  columns: none,
  trend: { stepMs: 60_000, endMs, columns },
});

const histogram = (part: Partial<Extract<MetricColumns, { kind: "histogram" }>>): MetricColumns => ({
  kind: "histogram",
  n: [1, 1, 1, 1],
  sum: [1, 1, 1, 1],
  min: [1, 1, 1, 1],
  max: [4, 4, 4, 4],
  p50: [null, null, null, null],
  p90: [null, null, null, null],
  p99: [null, null, null, null],
  p999: [null, null, null, null],
  ...part,
});

const drawn = { quantity: "seconds", tone: "stash" } as const;

test.each([
  ["p99", { p99: [1, null, 2, 3] }, [1, null, 2, 3]],
  ["p90", { p99: [1, null, null, null], p90: [1, 2, null, 3] }, [1, 2, null, 3]],
  ["slowest", { p50: [1, null, null, null] }, [4, 4, 4, 4]],
])("a line is one statistic all over: %s", (what, part, values) => {
  expect(trendOfTail(series(histogram(part)), drawn).trend).toMatchObject({
    what,
    values,
    kind: "line",
    endMs,
  });
});

test("a level is drawn as a share of what it can be", () => {
  const gauge = {
    kind: "gauge",
    min: [1, 1, 1, 1],
    max: [2, 4, 2, 2],
    avg: [1, 1, 1, 1],
    last: [1, 1, 1, 1],
  } as const;
  const { trend } = trendOfLevel(series(gauge), {
    ...{ what: "used share", column: "max", perUnit: 4, quantity: "ratio", tone: "stash" },
  });
  expect(trend?.values).toEqual([0.5, 1, 0.5, 0.5]);
});

test("a counter that never moved stood still wherever others told; without them nothing is drawn", () => {
  const count = { what: "number", quantity: "count", tone: "direct" } as const;
  const moved = trendOfIncrease(series({ kind: "counter", increase: [0, 3, 0, 0] }), undefined, count);
  expect(moved.trend).toMatchObject({ kind: "bars", values: [0, 3, 0, 0] });
  expect(trendOfIncrease(undefined, series(histogram({})), count).trend?.values).toEqual([0, 0, 0, 0]);
  expect(trendOfIncrease(undefined, undefined, count)).toEqual({});
});

test.each([
  [[0.0041, null, 0.0092, 0.005], "line", "Purge lag, p99 of every 1 min: 4.1 to 9.2 ms, last 5 ms"],
  [[0.005, 0.005], "line", "Purge lag, p99 of every 1 min: always 5 ms, last 5 ms"],
  [[0, 0], "bars", "Purge lag, p99 of every 1 min: none"],
  [[null, null], "line", "Purge lag, p99 of every 1 min: too few samples in all of them"],
] as const)("what %j looks like is said in words", (values, kind, words) => {
  const trend = { ...drawn, what: "p99", kind, stepMs: 60_000, endMs: endMs.slice(0, values.length), values };
  expect(trendInWords("Purge lag", trend)).toBe(words);
});
