import type { HistogramSummary, MergedWindows, MetricSeries } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { changeInWords, driveRows, tooFewInWords } from "./devices.ts";
import { gaugeAnswer } from "./testing.ts";

const whole = (p99: number | null, part: Partial<MergedWindows> = {}): MergedWindows => ({
  fromMs: 0,
  toMs: 3_600_000,
  n: 5_000,
  max: 0.5,
  p50: 0.001,
  p90: 0.004,
  p99,
  ...part,
});
const drive = (device: string, of: MergedWindows, change?: HistogramSummary["change"]): MetricSeries => ({
  labels: { vault: "v", node: "pods-1", device },
  endMs: [3_600_000],
  columns: { kind: "counter", increase: [] },
  summary: { whole: of, newest: of, ...(change === undefined ? {} : { change }) },
});
const gaugeDriveRows = (...series: MetricSeries[]) =>
  driveRows({ ...gaugeAnswer("stashlight_fsync_seconds", []), series });

test("every drive is ranked by the same percentile of the whole range, even after a very slow sync", () => {
  const { statistic, rows } = gaugeDriveRows(
    drive("s0", whole(0.009, { max: 9 })),
    drive("s1", whole(0.02)),
    drive("s2", whole(null, { n: 400, max: 20 })),
  );
  expect(statistic).toBe("p99");
  expect(rows.map(({ device, seconds, slowestSeconds, n }) => [device, seconds, slowestSeconds, n])).toEqual([
    ["s1", 0.02, 0.5, 5_000],
    ["s0", 0.009, 9, 5_000],
    ["s2", null, 20, 400],
  ]);
});

test.each([
  ["p90", whole(null)],
  ["p50", whole(null, { p90: null })],
  ["max", whole(null, { p90: null, p50: null })],
])("drives that sync rarely are ranked by their %s", (expected, rare) => {
  const { statistic, rows } = gaugeDriveRows(drive("s0", rare), drive("s1", rare), drive("s2", whole(0.02)));
  expect(statistic).toBe(expected);
  expect(rows).toHaveLength(3);
  expect(rows.every(({ seconds }) => seconds !== null)).toBe(true);
});

test("the list is empty without drives", () => {
  expect(gaugeDriveRows()).toEqual({ statistic: "p99", rows: [] });
});

test("a drive shows its last change, and the factor from its usual latency", () => {
  const change = { sinceMs: 60_000, before: 0.02, after: 0.062 };
  expect(gaugeDriveRows(drive("s0", whole(0.02), change)).rows[0]?.change).toEqual(change);
  expect(gaugeDriveRows(drive("s0", whole(0.02), null)).rows[0]?.change).toBeNull();
  expect(changeInWords(change)).toEqual({ word: "slow", times: "3.1 times its usual" });
  expect(changeInWords({ ...change, after: 0.004 })).toEqual({ word: "fast", times: "0.2 times its usual" });
  expect(changeInWords({ ...change, after: 0.5 }).times).toBe("25 times its usual");
});

test("a missing figure states the samples it needs", () => {
  expect(tooFewInWords("p99", 400)).toBe("A p99 needs 1,000 syncs in the range; there were 400.");
});
