import { ExponentialHistogram } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import { summarisePoints } from "./summary.ts";

/** A point of ten seconds with this many values of a millisecond, and one of this many seconds. */
function point(place: number, count: number, slowest = 0.001) {
  const histogram = new ExponentialHistogram();
  for (let i = 1; i < count; i += 1) histogram.record(0.001);
  histogram.record(slowest);
  return { fromMs: place * 10_000, toMs: (place + 1) * 10_000, histogram };
}

test("the newest point is enough if it has a thousand values", () => {
  const { newest, whole } = summarisePoints([point(0, 1_000, 9), point(1, 1_000)]);
  expect(newest).toMatchObject({ fromMs: 10_000, toMs: 20_000, n: 1_000, max: 0.001 });
  expect(whole).toMatchObject({ fromMs: 0, toMs: 20_000, n: 2_000, max: 9 });
});

test("points are merged backwards across gaps until there are enough values for a p99", () => {
  const { newest } = summarisePoints([point(0, 900, 9), point(1, 300), point(7, 300), point(8, 400)]);
  expect(newest).toMatchObject({ fromMs: 10_000, toMs: 90_000, n: 1_000 });
  expect(newest.p99).toBeCloseTo(0.001, 4);
});

test.each([
  [200, 0.001, 0.001],
  [50, 0.001, null],
  [10, null, null],
])("a range of %i values has no p99, and is reported as a whole", (count, p50, p90) => {
  const { newest, whole } = summarisePoints([point(0, count / 2), point(3, count / 2, 2)]);
  expect(newest).toEqual(whole);
  expect(newest).toMatchObject({ fromMs: 0, toMs: 40_000, n: count, max: 2, p99: null });
  for (const [value, expected] of [
    [newest.p50, p50],
    [newest.p90, p90],
  ] as const) {
    if (expected === null) expect(value).toBeNull();
    else expect(value).toBeCloseTo(expected, 4);
  }
});
