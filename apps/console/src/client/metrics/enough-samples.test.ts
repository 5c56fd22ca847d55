import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { HOUR_MS } from "@stashlight/contracts/time";
import { type LineInput, prepareLines } from "@stashlight/ui/chart";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  countByWindow,
  formatHiddenLines,
  formatOmittedSeries,
  isEnough,
  POINT_COUNTS,
  pointCountForSamples,
  type SampledSeries,
  sampledSeries,
  slowestLabel,
} from "./enough-samples.ts";
import { metricAnswer } from "./testing.ts";
import { chartLines, type LineSpec, leastNeeded } from "./to-chart.ts";

const stepMs = 10_000;
const windowCount = 360;

/** A sample count for each ten seconds of an hour; windows without samples have no point. */
const makeSeries = (n: readonly number[], path = "stash"): MetricSeries => {
  const places = n.flatMap((each, i) => (each > 0 ? [i] : []));
  const counts = places.map((i) => n[i] ?? 0);
  const from = (needed: number) => counts.map((each) => (each >= needed ? 0.01 : null));
  const ones = counts.map(() => 0.02);
  return {
    labels: { path },
    endMs: places.map((i) => (i + 1) * stepMs),
    columns: {
      kind: "histogram",
      n: counts,
      sum: ones,
      min: ones,
      max: ones,
      p50: from(20),
      p90: from(100),
      p99: from(1_000),
      p999: from(10_000),
    },
  };
};

const makeAnswer = (series: readonly MetricSeries[]): MetricAnswer =>
  metricAnswer("stashlight_upload_seconds", series, {
    kind: "histogram",
    unit: "seconds",
    newestMs: 0,
    sourceSeriesCount: series.length,
  });

const sampled = (...all: number[][]): SampledSeries[] =>
  sampledSeries(makeAnswer(all.map((n) => makeSeries(n))), () => 20);
const windows = (n: number): number[] => Array.from({ length: windowCount }, () => n);
/** Samples in one of every n windows. */
const every = (places: number, n: number): number[] =>
  Array.from({ length: windowCount }, (_, i) => (i % places === 0 ? n : 0));
/** Samples in a single window, as of a benchmark of ten seconds. */
const burst = (n: number): number[] => windows(0).with(200, n);

test.each([
  [40, null, "enough as they are"],
  [9, 100, "a few times wider"],
  [4, 40, "wider still"],
  [2, 20, "wider still"],
  [1, 10, "wider still"],
])("windows of %i samples in ten seconds are drawn as %s points: %s", (n, expected, _words) => {
  expect(pointCountForSamples(sampled(windows(n)), HOUR_MS)).toBe(expected);
});

test("a rare path widens the windows as far as it needs, even beside a busy path", () => {
  expect(pointCountForSamples(sampled(windows(1), windows(50)), HOUR_MS)).toBe(10);
});

test("a benchmark of ten seconds does not determine the window of the uploads beside it", () => {
  const [trickle] = sampled(every(6, 4).map((n, i) => n + (burst(700)[i] ?? 0)));
  if (trickle === undefined) throw new Error("The fixture has samples.");
  expect(pointCountForSamples([trickle], HOUR_MS)).toBe(10);
  expect(isEnough(countByWindow(HOUR_MS / 10, trickle), 20)).toBe(true);
});

test("a series with too few samples for any window leaves those of the others unchanged", () => {
  expect(pointCountForSamples(sampled(burst(3), windows(50)), HOUR_MS)).toBeNull();
});

test("windows without samples are not widened", () => {
  expect(pointCountForSamples(sampled(windows(0)), HOUR_MS)).toBeNull();
});

const rates = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 3_000 })),
  { minLength: windowCount, maxLength: windowCount },
);
const sparse = fc
  .tuple(rates, fc.integer({ min: 1, max: 200 }))
  .map(([n, places]) => n.map((each, i) => (i % places === 0 ? each : 0)));
const anySamples = fc.array(fc.oneof(rates, sparse), { minLength: 1, maxLength: 3 });

test("the chosen windows have enough samples for every series that reaches enough at any length", () => {
  fc.assert(
    fc.property(anySamples, (all) => {
      const series = sampled(...all);
      const count = pointCountForSamples(series, HOUR_MS);
      for (const each of series.filter(({ n }) => n.length > 0)) {
        const isReachable = POINT_COUNTS.every((other) =>
          isEnough(countByWindow(HOUR_MS / other, each), each.needed),
        );
        if (!isReachable) continue;
        const n = count === null ? each.n : countByWindow(HOUR_MS / count, each);
        expect(isEnough(n, each.needed)).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

const percentiles: readonly LineSpec[] = [
  { column: "p99", label: "stash p99", tone: "stash", bandFrom: "p50" },
  { column: "p50", label: "stash p50", tone: "stash", weight: "light" },
];

test("every series with samples is drawn, even if it has very few", () => {
  fc.assert(
    fc.property(anySamples, (all) => {
      const answer = makeAnswer(all.map((n, i) => makeSeries(n, `path ${i}`)));
      const lines = chartLines(answer, percentiles);
      const chart = prepareLines({
        range: { fromMs: 0, toMs: HOUR_MS },
        stepMs,
        quantity: "seconds",
        utcOffsetMs: 0,
        lines,
      });
      const withSamples = answer.series.filter(({ endMs }) => endMs.length > 0);
      for (const { labels } of withSamples) {
        const own = lines.filter(({ id }) => id.includes(labels.path ?? ""));
        expect(own.some(({ values }) => values.some((value) => value !== null))).toBe(true);
      }
      expect(chart.isEmpty).toBe(withSamples.length === 0);
    }),
    { numRuns: 50 },
  );
});

test("a percentile with too few windows is replaced by its slowest sample, which is named", () => {
  const lonely = every(3, 5).map((n, i) => (i % 30 === 0 ? 25 : n));
  const lines = chartLines(makeAnswer([makeSeries(lonely)]), percentiles);
  const drawn = lines.filter(({ values }) => values.some((value) => value !== null));
  expect(drawn.map(({ label }) => label)).toEqual(["stash slowest"]);
  expect(formatHiddenLines(lines)).toBe(
    "no stash p50: needs 20 samples per window; no stash p99: needs 1,000",
  );
});

test("percentiles of the busy hours of a day are drawn, because these are adjacent", () => {
  const busy = windows(5).map((n, i) => (i >= 100 && i < 160 ? 40 : n));
  const lines = chartLines(makeAnswer([makeSeries(busy)]), percentiles.slice(1));
  expect(lines.map(({ label }) => label)).toEqual(["stash p50"]);
  expect(lines[0]?.values.filter((value) => value !== null)).toHaveLength(60);
});

test.each([
  ["p99", "slowest"],
  ["direct p99", "direct slowest"],
  ["p99.9", "slowest"],
  ["east/stash-1/s3", "east/stash-1/s3 slowest"],
])("for the slowest sample the label “%s” becomes “%s”", (label, expected) => {
  expect(slowestLabel(label)).toBe(expected);
});

test("the least demanding of several percentiles decides; other columns need nothing", () => {
  const lines = (["p99", "p50", "max"] as const).map((column) => ({
    column,
    label: column,
    tone: "stash" as const,
  }));
  expect(leastNeeded(lines)).toBe(20);
  expect(leastNeeded(lines.slice(2))).toBeNull();
});

test("the first of many lines that need more samples are named, and the others are counted", () => {
  const line = (label: string, values: (number | null)[]): LineInput => ({
    id: label,
    label,
    tone: "stash",
    endMs: [10_000],
    values,
    n: [30],
    sampleCountMin: 1_000,
  });
  const hidden = ["s1", "s2", "s3", "s4", "s5", "s6"].map((label) => line(label, [null]));
  expect(formatHiddenLines([...hidden, line("s7", [0.1])])).toBe(
    "no s1, s2, s3, s4 and 2 more: needs 1,000 samples per window",
  );
  expect(formatHiddenLines([line("s7", [0.1])])).toBeUndefined();
});

test("groups that the chart has no room for are counted", () => {
  expect(formatOmittedSeries([{ ...makeAnswer([]), omittedSeriesCount: 40 }])).toBe(
    "40 more not drawn: filter to see them",
  );
  expect(formatOmittedSeries([makeAnswer([])])).toBeUndefined();
});
