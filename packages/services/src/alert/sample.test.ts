import { type AlertCondition, formatMember } from "@stashlight/contracts/alert";
import type { MetricName } from "@stashlight/contracts/metrics";
import { measureFill, vaultSpace } from "@stashlight/contracts/space";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { MergedSeries } from "../metrics/query/points.ts";
import { evidenceAt, valueAt } from "./sample.ts";

/** One point with this many values, and the percentiles that they allow. */
function points(n: number): MergedSeries {
  const from = (countMin: number, value: number) => [n >= countMin ? value : null];
  const columns = {
    kind: "histogram" as const,
    n: [n],
    sum: [n],
    min: [1],
    max: [9],
    p50: from(20, 5),
    p90: from(100, 6),
    p99: from(1_000, 7),
    p999: from(10_000, 8),
  };
  return { endMs: [0], newestMs: 0, columns };
}
const condition = (
  changes: Partial<Extract<AlertCondition, { kind: "percentile" }>> = {},
): AlertCondition => ({
  kind: "percentile",
  percentile: "p99",
  comparison: "above",
  threshold: 1,
  sampleCountMin: 20,
  windowSeconds: 300,
  ...changes,
});

test.each([
  ["enough for p99", 1_000, {}, 7],
  ["too few for p99", 999, {}, 6],
  ["too few for p90", 99, {}, 5],
  ["too few for any percentile", 19, {}, null],
  ["fewer than the rule's minimum", 1_500, { sampleCountMin: 2_000 }, null],
  ["too few for p99.9", 5_000, { percentile: "p999" }, 7],
  ["few, for a rule on the maximum", 20, { percentile: "max" }, 9],
  [
    "too few for p99 of a rule that fires below a limit, for which a lower percentile proves nothing",
    999,
    { comparison: "below" },
    null,
  ],
] as const)("the number of samples decides which percentile is compared: %s", (_, n, changes, expected) => {
  const rule = { query: { metric: "stashlight_fsync_seconds" as const }, condition: condition(changes) };
  expect(valueAt(rule, { points: points(n), other: null }, 0, 300_000)).toBe(expected);
});

test.each([
  [1_000, { statistic: "p99", sampleCount: 1_000 }],
  [640, { statistic: "p90", sampleCount: 640, atMost: 9 }],
  [19, null],
] as const)("a value from %d samples has the evidence %o", (n, evidence) => {
  expect(evidenceAt(condition(), points(n), 0)).toEqual(evidence);
});

const gauge = (value: number): MergedSeries => ({
  endMs: [0],
  newestMs: 0,
  columns: { kind: "gauge", min: [value], max: [value], avg: [value], last: [value] },
});

const shareRule = (metric: MetricName) => ({
  query: { metric },
  condition: {
    kind: "threshold" as const,
    statistic: "last" as const,
    shareOf: vaultSpace.capacity,
    comparison: "above" as const,
    threshold: 0.8,
    windowSeconds: 60,
  },
});

test("a rule on another metric than the fill may exceed a vault's capacity, as raw bytes with parity do", () => {
  const values = { points: gauge(1.3e9), other: gauge(1e9) };
  expect(valueAt(shareRule("stashlight_pod_live_bytes"), values, 0, 60_000)).toBe(1.3);
});

test("a rule sees the same fill of a vault as pages and commands, and only a full vault reads as full", () => {
  const rule = shareRule(vaultSpace.taken);
  const roomBytes = 1e9;
  const taken = fc.oneof(
    fc.constantFrom(0, 812, 999_570_000, 999_999_999, roomBytes, 1.1 * roomBytes),
    fc.double({ min: 0, max: 1.2 * roomBytes, noNaN: true }),
  );
  fc.assert(
    fc.property(taken, (objectBytes) => {
      const at = (bytes: number) => ({ bytes, atMs: 0 });
      const shown = measureFill({ objects: at(objectBytes), room: at(roomBytes) })?.share ?? -1;
      const values = { points: gauge(objectBytes), other: gauge(roomBytes) };
      expect(valueAt(rule, values, 0, 60_000)).toBe(shown);
      expect(formatMember(rule, shown, null) === "100 %").toBe(shown === 1);
    }),
  );
});
