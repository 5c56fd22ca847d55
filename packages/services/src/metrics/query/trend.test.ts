import { ExponentialHistogram } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import { chooseTrendStepMs, clipTrend, trendOfHistograms, trendOfSamples } from "./trend.ts";

const stepMs = 30_000;
const ends = (...seconds: number[]) => seconds.map((each) => each * 1_000);

function point(endSeconds: number, count: number, seconds: number) {
  const histogram = new ExponentialHistogram();
  for (let i = 0; i < count; i += 1) histogram.record(seconds);
  return { fromMs: (endSeconds - 10) * 1_000, toMs: endSeconds * 1_000, histogram };
}

test("a trend has at most the requested number of points, each made of whole points of the plan", () => {
  const plan = { resolution: "raw", stepMs: 10_000, startMs: 0, endMs: 3_600_000, pointCount: 360 } as const;
  expect(chooseTrendStepMs(plan, 60)).toBe(60_000);
  expect(chooseTrendStepMs({ ...plan, pointCount: 361 }, 60)).toBe(70_000);
});

test("percentiles are of the merged windows of a point, whose samples together must suffice", () => {
  const points = [point(10, 600, 0.001), point(20, 600, 0.004), point(40, 50, 0.001)];
  expect(trendOfHistograms(points, stepMs)).toEqual({
    column: "p99",
    stepMs,
    firstEndMs: 30_000,
    values: [expect.closeTo(0.004, 3), null],
  });
});

test.each([
  ["p99", 1_000],
  ["p90", 100],
  ["p50", 20],
  ["max", 1],
])(
  "a trend uses a statistic for which half of its points have enough samples: %s with %d each",
  (column, count) => {
    const points = [point(30, count, 0.25), point(60, 1, 0.25), point(120, count, 0.25), point(150, 1, 0.25)];
    const known = expect.closeTo(0.25, 2);
    const few = column === "max" ? known : null;
    expect(trendOfHistograms(points, stepMs)).toMatchObject({
      column,
      values: [known, few, null, known, few],
    });
  },
);

test("levels keep the requested column, and increases are added up", () => {
  const endMs = ends(10, 20, 30, 40, 100);
  const gauge = {
    kind: "gauge",
    min: [1, 2, 3, 9, 9],
    max: [5, 8, 4, 9, 9],
    avg: [2, 4, 3, 9, 9],
    last: [2, 3, 4, 9, 9.87654],
  } as const;
  const of = (ofGauge: "min" | "max" | "avg" | "last") =>
    trendOfSamples({ endMs, columns: gauge }, stepMs, ofGauge);
  expect(of("min")).toEqual({ column: "min", stepMs, firstEndMs: 30_000, values: [1, 9, null, 9] });
  expect(of("max").values).toEqual([8, 9, null, 9]);
  expect(of("avg").values).toEqual([3, 9, null, 9]);
  expect(of("last").values).toEqual([4, 9, null, 9.877]);
  const counter = { kind: "counter", increase: [1, 2, 3, 9, 1] } as const;
  expect(trendOfSamples({ endMs, columns: counter }, stepMs, "max")).toMatchObject({
    column: "increase",
    values: [6, 9, null, 1],
  });
});

test("a point that is only partly in the range, or whose windows are not all reported, is left out", () => {
  const trend = { column: "max", stepMs, firstEndMs: 30_000, values: [1, 6, 7, 2] } as const;
  expect(clipTrend(trend, 20_000, 110_000)).toEqual({ ...trend, firstEndMs: 60_000, values: [6, 7] });
  expect(clipTrend(trend, 50_000, 110_000)).toEqual({ ...trend, firstEndMs: 90_000, values: [7] });
  expect(clipTrend(trend, 0, 500_000)).toEqual(trend);
  expect(clipTrend(trend, 70_000, 110_000)).toBeNull();
});

test("the increase of a counter's unfinished point is kept apart", () => {
  const trend = { column: "increase", stepMs, firstEndMs: 30_000, values: [1, 6, 7, 2] } as const;
  expect(clipTrend(trend, 0, 110_000)).toEqual({ ...trend, values: [1, 6, 7], unfinished: 2 });
  expect(clipTrend({ ...trend, values: [1, 6, 7, 0] }, 0, 110_000)).not.toHaveProperty("unfinished");
  expect(clipTrend(trend, 0, 120_000)).toEqual(trend);
});
