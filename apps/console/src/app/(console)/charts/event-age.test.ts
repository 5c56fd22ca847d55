import type { MetricSeries } from "@stashlight/contracts/metrics/query";
import fc from "fast-check";
import { expect, test } from "vitest";
import { judgeEventAge, lastIncrease, laterEvent } from "./event-age.ts";

const windowMs = 5_000;

/** Summarises increases per window as the metric store does: only whole points of the trend, and the rest apart. */
function summarise(increases: readonly number[], windowsPerPoint: number): MetricSeries {
  const pointCount = Math.floor(increases.length / windowsPerPoint);
  const sum = (some: readonly number[]) => some.reduce((total, each) => total + each, 0);
  const points = Array.from({ length: pointCount }, (_, i) =>
    sum(increases.slice(i * windowsPerPoint, (i + 1) * windowsPerPoint)),
  );
  const unfinished = sum(increases.slice(pointCount * windowsPerPoint));
  const stepMs = windowsPerPoint * windowMs;
  return {
    labels: {},
    endMs: [increases.length * windowMs],
    columns: { kind: "counter", increase: [sum(increases)] },
    ...(pointCount === 0
      ? {}
      : {
          trend: {
            column: "increase",
            stepMs,
            firstEndMs: stepMs,
            values: points,
            ...(unfinished === 0 ? {} : { unfinished }),
          },
        }),
  };
}

test("the newest increase of a summarised counter is found to within a point, wherever it is", () => {
  const counts = fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 80 });
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 12 }), (increases, windowsPerPoint) => {
      const place = increases.findLastIndex((each) => each > 0);
      const found = lastIncrease(summarise(increases, windowsPerPoint));
      if (place < 0) return found === null;
      if (found === null) return false;
      const hasPoint = increases.length >= windowsPerPoint;
      const isStarted = !hasPoint || found.startMs <= place * windowMs;
      const isEnded = found.endMs >= (place + 1) * windowMs;
      return isStarted && isEnded && found.endMs - found.startMs <= windowsPerPoint * windowMs;
    }),
  );
});

test("events of the newest windows are ongoing, although no whole point has them", () => {
  const series = summarise([...Array(100).fill(0), 27], 12);
  const newestMs = series.endMs[0] ?? 0;
  const times = { newestMs, stepMs: windowMs, nowMs: newestMs + 5_000 };
  expect(judgeEventAge(lastIncrease(series), times)).toEqual({ isGoingOn: true, last: null });
});

test.each([
  ["of the newest window are current until the next reading, a minute later", 0, 62_000, null],
  ["of the window before are current", 5_000, 5_000, null],
  ["that newer windows lack are over, and as old as their window", 15_000, 2_000, "the last 22 s ago"],
  ["of figures that nothing has followed are dated", 0, 90_000, "the last 1 min ago"],
])("events %s", (_, beforeNewestMs, ageMs, last) => {
  const newestMs = 1_000_000;
  const times = { newestMs, stepMs: windowMs, nowMs: newestMs + ageMs };
  const endMs = newestMs - beforeNewestMs;
  expect(judgeEventAge({ startMs: endMs - windowMs, endMs }, times)).toEqual({ isGoingOn: true, last });
});

test("the counter that grew last decides among several", () => {
  const [older, newer] = [
    { startMs: 0, endMs: 5_000 },
    { startMs: 5_000, endMs: 10_000 },
  ];
  expect([
    laterEvent(null, null),
    laterEvent(older, null),
    laterEvent(older, newer),
    laterEvent(newer, older),
  ]).toEqual([null, older, newer, newer]);
});
