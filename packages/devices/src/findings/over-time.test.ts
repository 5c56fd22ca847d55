import { expect, test } from "vitest";
import { chartStepSeconds, latencySteps } from "./over-time.ts";

test("a step of the chart is the mean per request, not per second", () => {
  const measured = { iops: [100, 300, 0, 0, 50], meanUs: [1_000, 200, 0, 0, 800] };
  expect(latencySteps(measured, 2)).toEqual([400, null, 800]);
  expect(latencySteps(measured, 1)).toEqual([1_000, 200, null, null, 800]);
  expect(latencySteps({ iops: [], meanUs: [] }, 1)).toEqual([]);
});

test("the longest measurement fits into 240 steps, whose length all measurements share", () => {
  const lasting = (seconds: number) => ({ iops: new Array<number>(seconds).fill(1), meanUs: [] });
  expect(chartStepSeconds([])).toBe(1);
  expect(chartStepSeconds([lasting(60), lasting(240)])).toBe(1);
  expect(chartStepSeconds([lasting(60), lasting(7_200)])).toBe(30);
});
