import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { expect, test } from "vitest";
import { renderFigures } from "./figure-table.ts";
import { summariseLoads } from "./figures.ts";
import type { MeasuredRun } from "./measure.ts";

const legs = [
  { operation: "PUT" as const, sizeBytes: 1000, connectionCount: 1, sampleCount: 40, secondsMax: null },
];

function measuredRun(slot: number, levelMs: number, failedCount = 0): MeasuredRun {
  const samples = Array.from({ length: 40 }, (_, index) => ({
    index,
    leg: 0,
    operation: "PUT",
    sizeBytes: 1000,
    wireMs: levelMs + (index % 5) - 2,
    outcome: index < failedCount ? "failed" : "ok",
  }));
  const run = { endpoint: "a", slot, runId: String(slot), samples: samples as unknown as BenchmarkSample[] };
  return { ...run, leftover: null } as unknown as MeasuredRun;
}

test("several slots have an interval of their runs' means by Student's t, and none over all samples", () => {
  const [figures] = summariseLoads(
    [90, 100, 110].map((ms, slot) => measuredRun(slot, ms)),
    ["a"],
    legs,
  );
  expect(figures?.summary).toMatchObject({ n: 120, medianInterval: null });
  expect(figures?.runs).toMatchObject({ runCount: 3, mean: 100 });
  // 4.30 standard errors of three runs with a deviation of 10.
  expect(figures?.runs?.interval?.low).toBeCloseTo(75.16, 2);
  expect(figures?.runs?.interval?.high).toBeCloseTo(124.84, 2);
  const [header, row] = renderFigures(figures === undefined ? [] : [figures]);
  expect(header).toMatch(/ RUNS {2}MEAN OF RUNS +95 % OF RUNS$/);
  expect(header).not.toContain("WITHIN");
  expect(row).toMatch(/ 3 +100 ms {2}75\.2 ms to 125 ms$/);
});

test("one slot has the labelled interval of the median within its run, and none between runs", () => {
  const [figures] = summariseLoads([measuredRun(0, 100)], ["a"], legs);
  expect(figures?.runs).toEqual({ runCount: 1, mean: 100, interval: null });
  const [header, row] = renderFigures(figures === undefined ? [] : [figures]);
  expect(header).toContain("95 % WITHIN THE RUN");
  expect(header).not.toContain("RUNS");
  expect(row).toMatch(/ 99\.0 ms to 101 ms /);
});

test("a run without a success has no mean, and does not affect the others", () => {
  const [figures] = summariseLoads([measuredRun(0, 100), measuredRun(1, 100, 40)], ["a"], legs);
  expect(figures?.runs).toEqual({ runCount: 1, mean: 100, interval: null });
});
