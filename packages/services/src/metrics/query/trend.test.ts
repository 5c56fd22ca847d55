import { ExponentialHistogram } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import { trendOfHistograms, trendOfSamples, trendStepMsOf, wholeOf } from "./trend.ts";

const stepMs = 30_000;
const ends = (...seconds: number[]) => seconds.map((each) => each * 1_000);

function point(endSeconds: number, count: number, seconds: number) {
  const histogram = new ExponentialHistogram();
  for (let i = 0; i < count; i += 1) histogram.record(seconds);
  return { fromMs: (endSeconds - 10) * 1_000, toMs: endSeconds * 1_000, histogram };
}

test("a trend has no more points than were asked for, each of whole points of the plan", () => {
  const plan = { resolution: "raw", stepMs: 10_000, startMs: 0, endMs: 3_600_000, pointCount: 360 } as const;
  expect(trendStepMsOf(plan, 60)).toBe(60_000);
  expect(trendStepMsOf({ ...plan, pointCount: 361 }, 60)).toBe(70_000);
});

test("percentiles are of the merged windows of a point, which need their samples together", () => {
  const trend = trendOfHistograms(
    [point(10, 600, 0.001), point(20, 600, 0.004), point(40, 50, 0.001)],
    stepMs,
  );
  expect(trend).toMatchObject({ stepMs, endMs: ends(30, 60), columns: { kind: "histogram", n: [1200, 50] } });
  expect(trend.columns).toMatchObject({
    p99: [expect.closeTo(0.004, 3), null],
    p90: [expect.anything(), null],
  });
});

test("levels keep their extremes and the last, and increases are added up", () => {
  const endMs = ends(10, 20, 30, 40);
  const gauge = {
    kind: "gauge",
    min: [1, 2, 3, 9],
    max: [5, 8, 4, 9],
    avg: [2, 4, 3, 9],
    last: [2, 3, 4, 9],
  } as const;
  expect(trendOfSamples({ endMs, columns: gauge }, stepMs)).toEqual({
    ...{ stepMs, endMs: ends(30, 60) },
    columns: { kind: "gauge", min: [1, 9], max: [8, 9], avg: [3, 9], last: [4, 9] },
  });
  const counter = { kind: "counter", increase: [1, 2, 3, 9] } as const;
  expect(trendOfSamples({ endMs, columns: counter }, stepMs).columns).toEqual({
    kind: "counter",
    increase: [6, 9],
  });
});

test("a point of which the range has only a part, or whose windows are not all told of, is left out", () => {
  const columns = { kind: "counter", increase: [1, 6, 6, 2] } as const;
  const trend = { stepMs, endMs: ends(30, 60, 90, 120), columns };
  expect(wholeOf(trend, 20_000, 110_000)).toEqual({
    ...{ stepMs, endMs: ends(60, 90) },
    columns: { kind: "counter", increase: [6, 6] },
  });
  expect(wholeOf(trend, 50_000, 110_000)?.endMs).toEqual(ends(90));
  expect(wholeOf(trend, 70_000, 110_000)).toBeNull();
});
