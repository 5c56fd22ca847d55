import { expect, test } from "vitest";
import { StatsError } from "./error.ts";
import { createRandom } from "./random.ts";
import { type RestoreInput, restoreEstimate } from "./restore-estimate.ts";

/**
 * Durations of 1 MB downloads that take 220 ms plus their share of a 20 MB/s link, over this number of concurrent
 * connections.
 */
const behindCap = (connectionCount: number): number[] =>
  Array.from({ length: 60 }, (_, i) => 200 + (i % 5) * 10 + Math.max(50 * connectionCount - 220, 0) + 50);

const measured = Array.from({ length: 100 }, (_, i) => 50 + i);

function estimate(input: Partial<RestoreInput>) {
  return restoreEstimate({
    durationsMs: measured,
    measuredConnectionCount: 1,
    objectBytes: 1_000_000,
    objectCount: 100,
    connectionCount: 1,
    random: createRandom(7),
    ...input,
  });
}

test.each([
  { objectCount: 100, connectionCount: 1, seconds: 20 },
  { objectCount: 100, connectionCount: 8, seconds: 2.6 },
  { objectCount: 3, connectionCount: 8, seconds: 0.2 },
  { objectCount: 1_000_000, connectionCount: 8, seconds: 25_000 },
])(
  "downloads of 200 ms each are added up: $objectCount over $connectionCount connections take $seconds s",
  ({ objectCount, connectionCount, seconds }) => {
    const result = estimate({
      durationsMs: new Array(10).fill(200),
      objectCount,
      connectionCount,
      measuredConnectionCount: connectionCount,
    });
    expect(result.seconds).toBeCloseTo(seconds, 6);
    expect(result.secondsInterval?.low).toBeCloseTo(seconds, 6);
    expect(result.secondsInterval?.high).toBeCloseTo(seconds, 6);
    expect(result.mbPerSecond).toBeCloseTo(objectCount / seconds, 6);
  },
);

test("the interval includes the uncertainty of the sample and of the objects themselves", () => {
  // The sum of N objects has the mean N x m, and the variance N s^2 (these objects) + N^2 s^2 / n (the sample).
  const mean = 99.5;
  const variance = (100 ** 2 - 1) / 12;
  for (const objectCount of [100, 100_000]) {
    const { seconds, secondsInterval } = estimate({ objectCount, drawCount: 4000 });
    const sd = Math.sqrt(objectCount * variance + (objectCount ** 2 * variance) / 100) / 1000;
    const center = (objectCount * mean) / 1000;
    expect(Math.abs(seconds - center)).toBeLessThan(0.1 * sd);
    const halfWidths = [(secondsInterval?.high ?? 0) - center, center - (secondsInterval?.low ?? 0)];
    for (const halfWidth of halfWidths) {
      expect(halfWidth / (1.96 * sd)).toBeGreaterThan(0.9);
      expect(halfWidth / (1.96 * sd)).toBeLessThan(1.1);
    }
  }
});

test("twice as many objects take twice as long, even if the first ones count as a sum", () => {
  const over4 = { connectionCount: 4, measuredConnectionCount: 4 };
  const atLimit = estimate({ objectCount: 2000, ...over4 });
  const above = estimate({ objectCount: 4000, ...over4 });
  expect(above.seconds / atLimit.seconds).toBeCloseTo(2, 1);
});

test.each([
  { objectCount: 1000, connectionCount: 1, isExtrapolated: false },
  { objectCount: 1001, connectionCount: 1, isExtrapolated: true },
  { objectCount: 10, connectionCount: 2, isExtrapolated: true },
])(
  "an estimate for $objectCount objects over $connectionCount connections is extrapolated: $isExtrapolated",
  (row) => {
    expect(estimate(row).isExtrapolated).toBe(row.isExtrapolated);
  },
);

test.each([1, 4, 8])(
  "a restore over 16 connections, measured over %i behind a cap of 20 MB/s, is bounded by the measured throughput",
  (measuredConnectionCount) => {
    const durationsMs = behindCap(measuredConnectionCount);
    const bound = estimate({ durationsMs, measuredConnectionCount, objectCount: 120, connectionCount: 16 });
    expect(bound).toMatchObject({ secondsInterval: null, mbPerSecondInterval: null, isExtrapolated: true });
    // 120 MB take at least 6 s behind this cap, whatever is measured.
    expect(bound.seconds).toBeGreaterThanOrEqual(6);
    const mean = durationsMs.reduce((sum, each) => sum + each, 0) / durationsMs.length;
    expect(bound.mbPerSecond).toBeCloseTo((1000 * measuredConnectionCount) / mean, 9);
    expect(bound.seconds).toBeCloseTo(120 / bound.mbPerSecond, 9);
  },
);

test("an estimate for fewer connections than were measured has no interval", () => {
  const fewer = estimate({ measuredConnectionCount: 8, connectionCount: 2 });
  expect(fewer).toMatchObject({ secondsInterval: null, isExtrapolated: true });
  expect(fewer.seconds).toBeCloseTo(5, 0);
});

test("the same seed gives the same figures, and fewer than 6 samples give no interval", () => {
  expect(estimate({})).toEqual(estimate({}));
  const few = estimate({ durationsMs: [100, 110, 120, 130, 140] });
  expect(few).toMatchObject({ sampleCount: 5, secondsInterval: null, mbPerSecondInterval: null });
});

test.each([
  { durationsMs: [] },
  { durationsMs: [100, 0] },
  { objectCount: 0 },
  { connectionCount: 65 },
  { drawCount: 999 },
])("invalid input is refused: %j", (input) => {
  expect(() => estimate(input)).toThrow(StatsError);
});
