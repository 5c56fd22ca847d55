import { expect, test } from "vitest";
import { isStale } from "../../../client/metrics/to-chart.ts";
import { longestStepMs } from "./figure.ts";
import type { FigureTrend } from "./trend.ts";

test("a figure becomes stale by the step of its trend, not by the shorter step of its answer", () => {
  const trend: FigureTrend = {
    what: "mean",
    quantity: "per-second",
    tone: "coordinator",
    kind: "line",
    stepMs: 60_000,
    endMs: [60_000],
    values: [1],
  };
  const stepMs = longestStepMs({ trend }, [{ stepMs: 15_000 }]);
  expect(stepMs).toBe(60_000);
  expect([isStale(60_000, 150_000, stepMs), isStale(60_000, 250_000, stepMs)]).toEqual([false, true]);
});
