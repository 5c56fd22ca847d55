import { expect, test } from "vitest";
import { Bucket } from "./bucket.ts";

/** Counts requests that begin in each second if one is always ready, from a bucket that is full at the start. */
function begunPerSecond(bucket: Bucket, seconds: number): number[] {
  const counts = Array<number>(seconds).fill(0);
  for (let nowMs = 0; nowMs < seconds * 1_000; ) {
    nowMs = bucket.admitAtMs(nowMs);
    const second = Math.floor(nowMs / 1_000);
    if (second < seconds) (counts[second] as number) += 1;
  }
  return counts;
}

test("a burst lasts until the tokens beyond the refill are spent, and then the base rate applies", () => {
  // 100 per second, of which 20 are refilled, use 80 tokens per second, so 240 last for three seconds.
  const counts = begunPerSecond(new Bucket({ burst: 100, base: 20, tokens: 240 }, 0), 6);
  for (const [second, expected] of [100, 100, 100, 20, 20, 20].entries()) {
    expect(Math.abs((counts[second] as number) - expected)).toBeLessThanOrEqual(2);
  }
});

test("a rest refills the bucket up to its capacity", () => {
  const bucket = new Bucket({ burst: 100, base: 20, tokens: 240 }, 0);
  begunPerSecond(bucket, 6);
  const afterRest = (restMs: number): number => {
    let count = 0;
    const from = 6_000 + restMs;
    for (let nowMs = from; nowMs < from + 1_000; count += 1) nowMs = bucket.admitAtMs(nowMs);
    return count;
  };
  // Two seconds bring 40 tokens, which last half a second of burst; then the base rate applies.
  expect(Math.abs(afterRest(2_000) - 60)).toBeLessThanOrEqual(3);
  expect(Math.abs(afterRest(3_600_000) - 100)).toBeLessThanOrEqual(2);
});
