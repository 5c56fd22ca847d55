import { expect, test } from "vitest";
import { createBuckets } from "./token-buckets.ts";

test("a burst passes, later requests pass at the rate, and each key has a separate bucket", () => {
  let nowMs = 0;
  const buckets = createBuckets({ perSecond: 2, burst: 3 }, () => nowMs);
  const takeAll = (key: string, count: number) =>
    Array.from({ length: count }, () => buckets.take(key)).filter((each) => each === null).length;
  expect(takeAll("a", 10)).toBe(3);
  expect(buckets.take("a")).toEqual({ waitSeconds: 1 });
  expect(buckets.isEmpty("a")).toBe(true);
  expect(takeAll("b", 10)).toBe(3);
  nowMs += 1000;
  expect(buckets.isEmpty("a")).toBe(false);
  expect(takeAll("a", 10)).toBe(2);
  nowMs += 3_600_000;
  expect(takeAll("a", 10)).toBe(3);
});
