import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { HOUR_MS } from "@stashlight/contracts/time/duration";
import type { LineInput } from "@stashlight/ui/chart";
import { expect, test } from "vitest";
import {
  formatHiddenLines,
  formatOmittedSeries,
  formatTooFewSamples,
  leastNeeded,
  pointCountForSamples,
} from "./enough-samples.ts";

const answerOf = (...seriesN: number[][]): MetricAnswer => ({
  metric: "stashlight_upload_seconds",
  kind: "histogram",
  unit: "seconds",
  resolution: "raw",
  stepMs: 10_000,
  newestMs: 0,
  sourceSeriesCount: 1,
  modelled: [],
  simulatedSeriesCount: 0,
  gaps: [],
  omittedSeriesCount: 0,
  series: seriesN.map((n) => {
    const none = n.map(() => null);
    const ones = n.map(() => 1);
    return {
      labels: {},
      endMs: n.map((_, i) => i * 10_000),
      columns: {
        kind: "histogram",
        n,
        sum: ones,
        min: ones,
        max: ones,
        p50: none,
        p90: none,
        p99: none,
        p999: none,
      },
    };
  }),
});

const windows = (n: number): number[] => Array.from({ length: 360 }, () => n);

test.each([
  [40, null, "enough as they are"],
  [9, 100, "a few times wider"],
  [4, 40, "wider still"],
  [1, 20, "as wide as they may be"],
])("windows of %i samples in ten seconds are drawn as %s points: %s", (n, expected, _words) => {
  expect(pointCountForSamples([answerOf(windows(n))], 20, HOUR_MS)).toBe(expected);
});

test("the fullest line decides, so that one rare path does not make all others coarse", () => {
  expect(pointCountForSamples([answerOf(windows(1), windows(50))], 20, HOUR_MS)).toBeNull();
});

test("what holds nothing asks for nothing else", () => {
  expect(pointCountForSamples([answerOf()], 20, HOUR_MS)).toBeNull();
});

test("where even the fullest window holds too few, it says how many", () => {
  expect(formatTooFewSamples([answerOf([3, 7, 1])], 20)).toMatch(
    /^Too few .* holds 7 samples, and 20 are needed/,
  );
  expect(formatTooFewSamples([answerOf(windows(25))], 20)).toBeUndefined();
});

test("of several percentiles the one that needs least decides; other columns need nothing", () => {
  const lines = (["p99", "p50", "max"] as const).map((column) => ({
    column,
    label: column,
    tone: "stash" as const,
  }));
  expect(leastNeeded(lines)).toBe(20);
  expect(leastNeeded(lines.slice(2))).toBeNull();
});

test("of many lines that need more samples the first are named and the others counted", () => {
  const line = (label: string, values: (number | null)[]): LineInput => ({
    ...{ id: label, label, tone: "stash", endMs: [10_000], values, n: [30] },
    sampleCountMin: 1_000,
  });
  const hidden = ["s1", "s2", "s3", "s4", "s5", "s6"].map((label) => line(label, [null]));
  expect(formatHiddenLines([...hidden, line("s7", [0.1])])).toBe(
    "no s1, s2, s3, s4 and 2 more: needs 1,000 samples a window",
  );
  expect(formatHiddenLines([line("s7", [0.1])])).toBeUndefined();
});

test("groups that the chart has no room for are counted", () => {
  expect(formatOmittedSeries([{ ...answerOf(), omittedSeriesCount: 40 }])).toBe(
    "40 more not drawn: filter to see them",
  );
  expect(formatOmittedSeries([answerOf()])).toBeUndefined();
});
