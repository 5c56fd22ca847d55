import type { BenchmarkHistory } from "@stashlight/contracts/benchmark/result";
import { expect, test } from "vitest";
import { prepareHistory } from "./history-chart.ts";
import { lookOf } from "./tones.ts";

const history: BenchmarkHistory = {
  stepMs: 1000,
  isBucketed: false,
  events: [{ atMs: 2000, label: "Slot skipped", status: "warning" }],
  series: [
    {
      endpoint: { id: "a", name: "This vault: stash path", label: "measured" },
      runCount: 3,
      slotMs: [1000, 2000, 3000],
      medianMs: [10, null, 20],
      lowMs: [9, null, 18],
      highMs: [11, null, 22],
      n: [100, 100, 100],
      failureCount: [0, 60, 0],
    },
  ],
};

test("medians are seconds with their bands, a failed one is a hole, and changes are events in their order", () => {
  const chart = prepareHistory({
    history,
    changes: [
      {
        endpointId: "a",
        endpointName: "A",
        atMs: 1000,
        beforeMs: 10,
        afterMs: 20,
        changeShare: 1,
        pValue: 0.001,
      },
    ],
    range: { fromMs: 0, toMs: 4000 },
    utcOffsetMs: 0,
  });
  expect(chart.readings[0]?.points.map(({ value }) => value)).toEqual([0.01, null, 0.02]);
  expect(chart.marks.map(({ kind }) => kind)).toContain("band");
  expect(chart.events).toEqual([
    { timeMs: 1000, label: "A: level changed, +100 %", status: "bad" },
    { timeMs: 2000, label: "Slot skipped", status: "warning" },
  ]);
});

test("the paths of a vault keep their colours", () => {
  expect(lookOf("This vault: stash path", 0).tone).toBe("stash");
  expect(lookOf("This vault: direct path", 1).tone).toBe("direct");
  expect(lookOf("B2", 0).tone).not.toBe(lookOf("S3", 1).tone);
});
