import { expect, test } from "vitest";
import { StatsError } from "../error.ts";
import { findShaping, type TokenBucket } from "./find-shaping.ts";
import { estimateRefill } from "./refill.ts";
import { behindBucket, noises } from "./testing.ts";

const volume = { burst: 3_000, base: 300, bucket: 540_000 };

function findBurst(seed: number, bucket: number): TokenBucket {
  const found = findShaping(behindBucket(400, { ...volume, bucket }, noises.normal(seed)));
  if (found.kind !== "token-bucket") throw new Error(`Found ${found.kind}.`);
  return found;
}

/** A second run after this rest, and its burst. */
const restedFor = (seed: number, restSeconds: number) => ({
  restSeconds,
  burst: findBurst(seed, Math.min(volume.bucket, volume.base * restSeconds)),
});

test("the refill is measured to within 5 %, and at least 90 of 100 intervals contain it", () => {
  let held = 0;
  for (let seed = 0; seed < 100; seed += 1) {
    const refill = estimateRefill(findBurst(seed, volume.bucket), [restedFor(seed + 1_000, 900)]);
    if (refill.kind !== "measured") continue;
    expect(Math.abs(refill.tokensPerSecond / 300 - 1)).toBeLessThan(0.05);
    if (refill.interval.low <= 300 && refill.interval.high >= 300) held += 1;
  }
  expect(held).toBeGreaterThanOrEqual(90);
});

test("a second rest narrows the interval, and one that filled the bucket adds nothing", () => {
  const first = findBurst(1, volume.bucket);
  const one = estimateRefill(first, [restedFor(2, 600)]);
  const two = estimateRefill(first, [restedFor(2, 600), restedFor(3, 900)]);
  const withFull = estimateRefill(first, [restedFor(2, 600), restedFor(4, 7_200)]);
  if (one.kind !== "measured" || two.kind !== "measured") throw new Error("Both must be measured.");
  expect(two.interval.high - two.interval.low).toBeLessThan(one.interval.high - one.interval.low);
  expect(withFull).toEqual(one);
});

test("a rest after which the bucket is full gives only a lower bound", () => {
  const refill = estimateRefill(findBurst(1, volume.bucket), [restedFor(2, 3_600)]);
  expect(refill.kind).toBe("at-least");
  expect(refill.tokensPerSecond).toBeLessThan(300);
  expect(refill.tokensPerSecond).toBeGreaterThan(140);
});

test("runs without a rest, and rests of 0 s, are refused", () => {
  const first = findBurst(1, volume.bucket);
  expect(() => estimateRefill(first, [])).toThrow("There are no rested runs.");
  expect(() => estimateRefill(first, [{ ...restedFor(2, 600), restSeconds: 0 }])).toThrow(StatsError);
});
