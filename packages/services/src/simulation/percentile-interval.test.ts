import { createRandom } from "@stashlight/stats";
import { upperBound } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import { present } from "../present.ts";
import { percentileInterval, percentileMs, type Stretch } from "./percentile-interval.ts";

const FAST = -112;
const SLOW = -64;
const ms = (bucket: number) => upperBound(bucket) * 1000;

test("bursts widen a percentile's interval compared with as many slow values spread evenly", () => {
  // One value in fifty is slow: either two in each stretch of a hundred, or sixty in two of them.
  const spread: Stretch[] = Array.from({ length: 60 }, () => [
    [FAST, 98],
    [SLOW, 2],
  ]);
  const inBursts: Stretch[] = Array.from({ length: 60 }, (_, i) =>
    i % 30 === 0
      ? [
          [FAST, 40],
          [SLOW, 60],
        ]
      : [[FAST, 100]],
  );
  const [sure, unsure] = [percentileInterval(spread, 0.99), percentileInterval(inBursts, 0.99)];
  const ofBucket = (value: number | undefined, bucket: number) => {
    expect(value).toBeGreaterThan(ms(bucket - 1));
    expect(value).toBeLessThanOrEqual(ms(bucket));
  };
  ofBucket(sure?.lowMs, SLOW);
  ofBucket(sure?.highMs, SLOW);
  ofBucket(unsure?.lowMs, FAST);
  ofBucket(unsure?.highMs, SLOW);
});

test("a percentile is within the interval of its own samples, even if the interval is within one bucket", () => {
  const random = createRandom(7);
  const stretches: Stretch[] = Array.from({ length: 60 }, () => [
    [FAST - 1, random.uint32() % 40],
    [FAST, 300],
    [SLOW, random.uint32() % 8],
  ]);
  for (const share of [0.5, 0.9, 0.99]) {
    const percentile = percentileMs(stretches, share);
    const interval = percentileInterval(stretches, share);
    expect(interval?.lowMs).toBeLessThanOrEqual(percentile);
    expect(interval?.highMs).toBeGreaterThanOrEqual(percentile);
  }
  const alike = [present(stretches[0])];
  const median = percentileMs(alike, 0.5);
  expect(percentileInterval(new Array<Stretch>(8).fill(present(alike[0])), 0.5)).toEqual({
    lowMs: expect.closeTo(median, 9),
    highMs: expect.closeTo(median, 9),
  });
});

test("too few stretches give no interval, and values that count as zero give zero", () => {
  const stretch: Stretch = [[null, 10]];
  expect(
    percentileInterval(
      Array.from({ length: 7 }, () => stretch),
      0.5,
    ),
  ).toBeNull();
  expect(percentileInterval([...Array.from({ length: 7 }, () => stretch), []], 0.5)).toBeNull();
  expect(
    percentileInterval(
      Array.from({ length: 8 }, () => stretch),
      0.5,
    ),
  ).toEqual({ lowMs: 0, highMs: 0 });
});
