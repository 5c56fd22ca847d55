import type { BenchmarkGroupRow } from "@stashlight/contracts/benchmark";
import { expect, test } from "vitest";
import { startRows } from "./start-rows.ts";

const group = (n: number, starts: BenchmarkGroupRow["starts"]) => ({ n, starts }) as BenchmarkGroupRow;
const ranks = { p50Ms: 1, p99Ms: null, maxMs: 9 };

test("starts at a rate are separated from pauses, and a run without either has no row", () => {
  const service = { medianMs: 20, p95Ms: 30, maxMs: 40 };
  const due = group(100, { kind: "due", ...ranks, lateCount: 3, service });
  const few = group(20, { kind: "due", ...ranks, lateCount: 3, service });
  const pause = group(100, { kind: "pause", ...ranks });
  expect(startRows([due, few, pause, group(100, null)])).toEqual({
    due: [
      { group: due, startsMs: [1, null, 9], lateCount: 3, serviceMs: [20, 30, 40] },
      { group: few, startsMs: [1, null, 9], lateCount: 3, serviceMs: [20, null, 40] },
    ],
    pauses: [{ group: pause, startsMs: [1, null, 9], lateCount: null, serviceMs: [] }],
  });
});
