import { upperBound } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import { percentileInterval, type Stretch } from "./percentile-interval.ts";

const FAST = -112;
const SLOW = -64;
const ms = (bucket: number) => upperBound(bucket) * 1000;

test("bursts make a percentile less sure than as many slow values spread over all of the time", () => {
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
  expect(percentileInterval(spread, 990_000)).toEqual({ lowMs: ms(SLOW), highMs: ms(SLOW) });
  expect(percentileInterval(inBursts, 990_000)).toEqual({ lowMs: ms(FAST), highMs: ms(SLOW) });
});

test("of too few stretches nothing is said, and what counts as zero is zero", () => {
  const stretch: Stretch = [[null, 10]];
  expect(
    percentileInterval(
      Array.from({ length: 7 }, () => stretch),
      500_000,
    ),
  ).toBeNull();
  expect(percentileInterval([...Array.from({ length: 7 }, () => stretch), []], 500_000)).toBeNull();
  expect(
    percentileInterval(
      Array.from({ length: 8 }, () => stretch),
      500_000,
    ),
  ).toEqual({ lowMs: 0, highMs: 0 });
});
