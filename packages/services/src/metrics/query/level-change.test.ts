import { ExponentialHistogram } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import { findLastChange } from "./level-change.ts";

/** One-minute points, each with this many syncs around its level. */
const points = (levels: readonly number[], count = 40) =>
  levels.map((level, place) => {
    const histogram = new ExponentialHistogram();
    for (let i = 0; i < count; i += 1)
      histogram.record(level * (0.9 + 0.2 * ((i * 7 + place * 3) % 10) * 0.1));
    return { fromMs: place * 60_000, toMs: (place + 1) * 60_000, histogram };
  });
const levels = (...parts: [count: number, level: number][]): number[] =>
  parts.flatMap(([count, level]) => Array.from({ length: count }, () => level));

test("a slow drive is reported with the time when it became slow and the factor from its usual latency", () => {
  const change = findLastChange(points(levels([30, 0.02], [12, 0.062])));
  expect(change?.sinceMs).toBe(30 * 60_000);
  expect((change?.after ?? 0) / (change?.before ?? 1)).toBeCloseTo(3.1, 1);
});

test("the last change counts, and a recovered drive is reported as recovered", () => {
  const change = findLastChange(points(levels([15, 0.02], [15, 0.1], [15, 0.02])));
  expect(change?.sinceMs).toBe(30 * 60_000);
  expect(change?.after).toBeLessThan(change?.before ?? 0);
});

test("means replace medians if points have too few syncs", () => {
  expect(findLastChange(points(levels([20, 0.02], [20, 0.08]), 3))?.sinceMs).toBe(20 * 60_000);
});

test.each([
  ["level", levels([40, 0.02])],
  ["a little slower", levels([20, 0.02], [20, 0.023])],
  ["slow for a moment", levels([20, 0.02], [2, 0.2], [20, 0.02])],
  ["too short", levels([3, 0.02], [3, 0.2])],
  ["empty", []],
])("a series that is %s has no change", (_, of) => {
  expect(findLastChange(points(of))).toBeNull();
});
