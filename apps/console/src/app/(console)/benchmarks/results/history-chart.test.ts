import type { BenchmarkHistory } from "@stashlight/contracts/benchmark";
import { changeMarks } from "@stashlight/contracts/thresholds";
import { createRandom, findChangePoints } from "@stashlight/stats";
import { expect, test } from "vitest";
import { describeNoChange, prepareHistory } from "./history-chart.ts";
import { endpointLine } from "./tones.ts";

const history: BenchmarkHistory = {
  stepMs: 1000,
  isBucketed: false,
  events: [{ atMs: 2000, label: "Slot skipped", status: "warning" }],
  series: [
    {
      endpoint: { id: "a", name: "This vault: stash path", label: "measured", place: 0 },
      runCount: 3,
      atMs: [1000, 2000, 3000],
      medianMs: [10, null, 20],
      lowMs: [9, null, 18],
      highMs: [11, null, 22],
      n: [100, 100, 100],
      failureCount: [0, 60, 0],
    },
  ],
};

test("medians are in seconds with bands, a failed median is a gap, and events are in time order", () => {
  const chart = prepareHistory({
    history,
    changes: [
      {
        endpointId: "a",
        endpointName: "A",
        atMs: 1000,
        beforeMs: 10,
        afterMs: 20,
        changeShare: 1,
        pValue: 0.001,
      },
    ],
    range: { fromMs: 0, toMs: 4000 },
    utcOffsetMs: 0,
  });
  expect(chart.readings[0]?.points.map(({ value }) => value)).toEqual([0.01, null, 0.02]);
  expect(chart.marks.map(({ kind }) => kind)).toContain("band");
  expect(chart.events).toEqual([
    { timeMs: 1000, label: "A: level changed, +100 %", status: "bad" },
    { timeMs: 2000, label: "Slot skipped", status: "warning" },
  ]);
});

test("a time without a run is hatched as such", () => {
  const [series] = history.series;
  const paused = {
    ...history,
    series: series === undefined ? [] : [{ ...series, atMs: [1000, 2000, 9000] }],
  };
  const chart = prepareHistory({
    history: paused,
    changes: [],
    range: { fromMs: 0, toMs: 9000 },
    utcOffsetMs: 0,
  });
  expect(chart.gaps).toEqual([{ startMs: 2000, endMs: 8000, reason: "No run" }]);
});

test("the paths of a vault have fixed colours, and other endpoints differ from each other", () => {
  const of = (name: string, place: number | null, here: number) => endpointLine({ name, place }, here).tone;
  expect(of("This vault: stash path", 0, 0)).toBe("stash");
  expect(of("This vault: direct path", 1, 1)).toBe("direct");
  expect(of("B2", 2, 0)).not.toBe(of("S3", 3, 1));
});

test("an endpoint has one colour wherever it is drawn, and a deleted one that of its position", () => {
  const colours = [0, 1, 2].map((here) => endpointLine({ name: "B2", place: 4 }, here).tone);
  expect(new Set(colours).size).toBe(1);
  expect(endpointLine({ name: "B2", place: null }, 1).tone).toBe(
    endpointLine({ name: "S3", place: 1 }, 0).tone,
  );
});

test("the chart's range fits its runs with a margin, within the requested range", () => {
  const day = 86_400_000;
  const ofMonth = { fromMs: 0, toMs: 30 * day };
  const atMs = [20 * day, 21 * day, 22 * day];
  const [series] = history.series;
  if (series === undefined) throw new Error("one endpoint was measured");
  const runs = { ...history, stepMs: day, events: [], series: [{ ...series, atMs }] };
  const chartRange = (range: { fromMs: number; toMs: number }) =>
    prepareHistory({ history: runs, changes: [], range, utcOffsetMs: 0 }).range;
  expect(chartRange(ofMonth)).toEqual({ fromMs: 19 * day, toMs: 23 * day });
  expect(chartRange({ fromMs: 20 * day, toMs: 30 * day })).toEqual({ fromMs: 20 * day, toMs: 23 * day });
});

test("the chart shows a run that started after the last planned slot", () => {
  const [series] = history.series;
  if (series === undefined) throw new Error("one endpoint was measured");
  const late = { ...series, endpoint: { ...series.endpoint, id: "b", name: "B2" }, atMs: [2500, 3500, 9000] };
  const { range, readings } = prepareHistory({
    history: { ...history, series: [series, late] },
    changes: [],
    range: { fromMs: 0, toMs: 2001 },
    utcOffsetMs: 0,
  });
  expect(range).toEqual({ fromMs: 0, toMs: 9000 });
  expect(readings.map(({ points }) => points.map(({ timeMs }) => timeMs))).toEqual([
    [1000, 2000, 3000],
    [2500, 3500, 9000],
  ]);
});

test("no change of level is found below the minimum number of runs, and the text reports too few", () => {
  const findsStep = (runCount: number) => {
    const values = Float64Array.from(
      { length: runCount },
      (_, i) => (2 * i < runCount ? 100 : 200) + (i % 3),
    );
    const seeds = Array.from({ length: 20 }, (_, seed) => seed);
    return seeds.some((seed) => findChangePoints(values, { random: createRandom(seed) }).length > 0);
  };
  expect([findsStep(changeMarks.runsMin - 1), findsStep(3 * changeMarks.runsMin)]).toEqual([false, true]);
  expect(describeNoChange([changeMarks.runsMin - 1, 2])).toMatch(
    /^Too few runs .*: 11 at most per endpoint; 12/,
  );
  expect(describeNoChange([changeMarks.runsMin, 2])).toMatch(/^No change of level/);
});
