import type { MetricAnswer, MetricColumns, MetricSeries } from "@stashlight/contracts/metrics/query";
import { HOUR_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { previousOffsetMs, previousWords, refetchIntervalMs } from "./period.ts";
import { metricAnswer } from "./testing.ts";
import {
  chartGaps,
  chartLayers,
  chartLines,
  describeOrigin,
  isStale,
  lateGaps,
  previousLines,
  previousTotal,
  sameSeries,
} from "./to-chart.ts";

const makeAnswer = (series: MetricSeries[], part: Partial<MetricAnswer> = {}): MetricAnswer =>
  metricAnswer("stashlight_fsync_seconds", series, {
    kind: "histogram",
    unit: "seconds",
    newestMs: 100_000,
    sourceSeriesCount: series.length,
    ...part,
  });

const histogram = (part: Partial<Extract<MetricColumns, { kind: "histogram" }>>): MetricColumns => ({
  kind: "histogram",
  n: [2_000, 30],
  sum: [4, 1],
  min: [0.001, 0.001],
  max: [0.09, 0.5],
  p50: [0.002, 0.002],
  p90: [0.004, null],
  p99: [0.009, null],
  p999: [null, null],
  ...part,
});

const ofDevice = (device: string, columns: MetricColumns): MetricSeries => ({
  labels: { node: "stash-1", device },
  endMs: [10_000, 20_000],
  columns,
});

test("percentiles come with the samples they need and have, gauges with their band", () => {
  const [p99, slowest] = chartLines(makeAnswer([ofDevice("s0", histogram({}))]), [
    { column: "p99", label: "p99", tone: "stash" },
    { column: "max", label: "slowest", tone: "stash" },
  ]);
  expect(p99).toMatchObject({ values: [0.009, null], n: [2_000, 30], sampleCountMin: 1_000 });
  expect(slowest).toMatchObject({ values: [0.09, 0.5] });
  expect(slowest).not.toHaveProperty("sampleCountMin");
  const [banded] = chartLines(makeAnswer([ofDevice("s0", histogram({}))]), [
    { column: "p99", label: "p99", tone: "stash", bandFrom: "p50" },
  ]);
  expect(banded).toMatchObject({ low: [0.002, 0.002], high: [0.009, null] });
  const gauge: MetricColumns = { kind: "gauge", min: [1, 2], max: [3, 4], avg: [2, 3], last: [2, 2] };
  expect(
    chartLines(makeAnswer([ofDevice("s0", gauge)]), [
      { column: "avg", label: "used", tone: "stash", hasBand: true },
    ]),
  ).toMatchObject([{ values: [2, 3], low: [1, 2], high: [3, 4] }]);
});

test("the earlier period is moved to the hours that the page shows, and has no band", () => {
  const gauge: MetricColumns = { kind: "gauge", min: [1, 2], max: [3, 4], avg: [2, 3], last: [2, 2] };
  const lines = chartLines(makeAnswer([ofDevice("s0", gauge)]), [
    { column: "avg", label: "used", tone: "stash", hasBand: true },
  ]);
  const [before] = previousLines(lines, 86_400_000, "the day before");
  expect(before).toMatchObject({
    label: "used, the day before",
    weight: "previous",
    endMs: [86_410_000, 86_420_000],
  });
  expect(before).not.toHaveProperty("low");
});

test("counters are drawn as increases", () => {
  const counter: MetricColumns = { kind: "counter", increase: [5, 0] };
  const answer = makeAnswer([ofDevice("s0", counter)], { metric: "stashlight_purges_accepted_total" });
  expect(chartLayers(answer, () => ({ label: "accepted", tone: "stash" }))).toMatchObject([
    { values: [5, 0] },
  ]);
});

test("a chart of several sources is as old as the oldest of them, and states what is not measured", () => {
  const one = makeAnswer([], { newestMs: 90_000, modelled: ["HDD A"], sourceSeriesCount: 3 });
  const two = makeAnswer([], { simulatedSeriesCount: 4, sourceSeriesCount: 4 });
  expect(describeOrigin([one, two])).toEqual({
    source: "as measured, every 10 s · read from 7 series",
    caveats: ["modelled as HDD A", "4 of 7 series simulated"],
    newestMs: 90_000,
  });
  expect(describeOrigin([two]).caveats).toEqual(["simulated"]);
  const none = describeOrigin([makeAnswer([], { newestMs: null, sourceSeriesCount: 0 })]);
  expect(none).toMatchObject({ source: "no series yet", newestMs: null });
});

test("a sum that lacks series states the affected points and the number of series they cover", () => {
  const partial = { pointCount: 12, seriesCountMin: 735, seriesCount: 756 };
  const [one, two] = [makeAnswer([]), makeAnswer([], { partial })];
  expect(describeOrigin([one, two]).caveats).toEqual(["12 points cover only 735 of 756 series"]);
  expect(describeOrigin([makeAnswer([], { partial: { ...partial, pointCount: 1 } })]).caveats).toEqual([
    "1 point covers only 735 of 756 series",
  ]);
});

test("a gap names its node, and the reason in words", () => {
  const gap = { nodeId: "x", nodeName: "stash-1", startMs: 1, endMs: 2, reason: "spool_full" };
  expect(chartGaps([makeAnswer([], { gaps: [gap] })])).toEqual([
    { startMs: 1, endMs: 2, reason: "stash-1: its spool was full" },
  ]);
});

test("late nodes hatch a chart from the start of their silence, and the answer with the most late nodes is described", () => {
  const late = { sinceMs: 50_000, lateCount: 1, nodeCount: 2, names: ["pod-1"] };
  const more = { sinceMs: 60_000, lateCount: 4, nodeCount: 6, names: ["pod-3", "pod-5", "pod-4"] };
  expect(lateGaps([makeAnswer([])], 100_000)).toEqual([]);
  expect(lateGaps([makeAnswer([], { late })], 100_000)).toEqual([
    { startMs: 50_000, endMs: 100_000, reason: "1 of 2 nodes has not reported since then: pod-1" },
  ]);
  expect(lateGaps([makeAnswer([], { late }), makeAnswer([], { late: more })], 100_000)).toEqual([
    {
      startMs: 60_000,
      endMs: 100_000,
      reason: "4 of 6 nodes have not reported since then: pod-3, pod-5, pod-4 and others",
    },
  ]);
});

test.each([
  [null, 10_000, false],
  [60_000, 10_000, false],
  [50_000, 10_000, true],
  [50_000, 60_000, false],
])(
  "data with the newest point at %s ms, in steps of %d ms, is stale at 100 s: %s",
  (newestMs, stepMs, expected) => {
    expect(isStale(newestMs, 100_000, stepMs)).toBe(expected);
  },
);

test.each([
  [HOUR_MS, 24, "the day before", 5_000],
  [24 * HOUR_MS, 24, "the day before", 15_000],
  [25 * HOUR_MS, 48, "2 days before", 60_000],
  [168 * HOUR_MS, 168, "7 days before", 60_000],
])("a range of %d ms is compared with that %d h before", (rangeMs, offsetHours, words, refetchMs) => {
  expect(previousOffsetMs(rangeMs)).toBe(offsetHours * HOUR_MS);
  expect(previousWords(rangeMs)).toBe(words);
  expect(refetchIntervalMs(rangeMs)).toBe(refetchMs);
});

test("the layers of an earlier period are added up, and moved to the page's time range", () => {
  const counted = (result: string, endMs: number[], increase: number[]): MetricSeries => ({
    labels: { result },
    endMs,
    columns: { kind: "counter", increase },
  });
  const before = makeAnswer([counted("ok", [20_000, 10_000], [4, 2]), counted("failed", [20_000], [1])]);
  expect(previousTotal([before], 5_000, "the day before")).toEqual({
    label: "all, the day before",
    endMs: [15_000, 25_000],
    values: [2, 5],
  });
  expect(previousTotal([makeAnswer([])], 5_000, "the day before")).toBeNull();
});

test("a series is matched by all of its labels", () => {
  const [one, two] = [ofDevice("s1", histogram({})), ofDevice("s2", histogram({}))];
  expect(sameSeries(one, ofDevice("s1", histogram({ n: [1, 1] })))).toBe(true);
  expect(sameSeries(one, two)).toBe(false);
  expect(sameSeries(one, { ...one, labels: { ...one.labels, modelled: "hdd" } })).toBe(false);
});
