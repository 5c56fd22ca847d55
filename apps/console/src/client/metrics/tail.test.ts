import type { MergedWindows, MetricSeries } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { newestTail } from "./tail.ts";

const windows = (part: Partial<MergedWindows>): MergedWindows => ({
  fromMs: 0,
  toMs: 10_000,
  n: 5_000,
  max: 0.5,
  p50: 0.001,
  p90: 0.004,
  p99: 0.009,
  ...part,
});
const series = (newest: MergedWindows): MetricSeries => ({
  labels: {},
  endMs: [10_000],
  columns: { kind: "counter", increase: [] },
  summary: { whole: windows({}), newest },
});
const tail = (part: Partial<MergedWindows>) => newestTail(series(windows(part)), 10_000);

test("one window with enough samples gives its p99 and its age", () => {
  expect(tail({})).toEqual({ seconds: 0.009, statistic: "p99", n: 5_000, untilMs: 10_000 });
});

test("several combined windows state their length", () => {
  expect(tail({ toMs: 250_000, n: 1_120 })).toEqual({
    seconds: 0.009,
    statistic: "p99 over 4.2 min",
    n: 1_120,
    untilMs: 250_000,
  });
});

test.each([
  [{ p99: null, n: 400 }, 0.004, "p90 over 1 h"],
  [{ p99: null, p90: null, n: 40 }, 0.001, "p50 over 1 h"],
  [{ p99: null, p90: null, p50: null, n: 3 }, 0.5, "slowest over 1 h"],
])(
  "too few samples for a p99 in the range give the highest possible percentile: %o",
  (part, seconds, statistic) => {
    expect(tail({ toMs: 3_600_000, ...part })).toMatchObject({ seconds, statistic, untilMs: 3_600_000 });
  },
);

test("a series without samples has no figure", () => {
  expect(newestTail(undefined, 10_000)).toBeNull();
});
