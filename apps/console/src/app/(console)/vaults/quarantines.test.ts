import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { readQuarantines } from "./quarantines.ts";

const NOW = 1_800_000_000_000;

const answerEndingAt = (endMs: number, seconds: number): MetricAnswer =>
  ({
    metric: "stashlight_stash_quarantine_seconds",
    stepMs: 10_000,
    series: [
      {
        labels: { node: "stash-1", device: "s7", operator: "ann@desk" },
        endMs: [endMs],
        columns: { kind: "gauge", last: [seconds] },
      },
    ],
  }) as unknown as MetricAnswer;

test("a device in quarantine is shown with its operator and since when", () => {
  expect(readQuarantines([answerEndingAt(NOW - 5_000, 600)], NOW)).toEqual([
    { node: "stash-1", device: "s7", operator: "ann@desk", sinceMs: NOW - 605_000 },
  ]);
});

test("a device that was released, or does not report, is not shown", () => {
  expect(readQuarantines([answerEndingAt(NOW - 120_000, 600)], NOW)).toEqual([]);
  expect(readQuarantines([], NOW)).toEqual([]);
});
