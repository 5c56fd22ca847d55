import type { BenchmarkRunRow } from "@stashlight/contracts/benchmark";
import { expect, test } from "vitest";
import {
  formatDollars,
  formatProgress,
  formatSlotCost,
  formatSlotsLeft,
  formatTimeLeft,
  formatTogether,
  slotLimitProblem,
} from "./format-plan.ts";

test.each([
  [0, "$0.00"],
  [1.5, "$1.50"],
  [0.014, "$0.01"],
  [0.00123, "$0.0012"],
])("a price of %d dollars is formatted as %s", (amount, words) => {
  expect(formatDollars(amount)).toBe(words);
});

test("the remaining time is shown as an estimate, never below zero", () => {
  const at = (ms: number) => ({ estimatedEndAt: new Date(ms) });
  expect(formatTimeLeft(at(41_000), 1_000)).toBe("about 40 s left");
  expect(formatTimeLeft(at(0), 5_000)).toBe("about to end");
  expect(formatTimeLeft({ estimatedEndAt: null }, 0)).toBe("");
});

test("a running slot names the endpoint being measured, and its progress", () => {
  const run = (state: BenchmarkRunRow["state"], endpointName: string, progress: number) =>
    ({ state, endpointName, progress }) as BenchmarkRunRow;
  expect(formatProgress({ runs: [] })).toBeNull();
  expect(formatProgress({ runs: [run("succeeded", "B2", 1), run("queued", "S3", 0)] })).toBeNull();
  expect(formatProgress({ runs: [run("succeeded", "B2", 1), run("running", "S3", 0.426)] })).toBe(
    "Endpoint 2 of 2, S3: 43 %",
  );
});

test.each([
  [2.1, 3, "about $2.10 of at most $3.00"],
  [2.1, null, "about $2.10, no limit"],
  [2.1, 1, "about $2.10, more than the limit of $1.00: slots are skipped"],
  [null, null, "unknown without a price list for every endpoint"],
  [
    ...([null, 1] as const),
    "unknown without a price list for every endpoint, so that the limit of $1.00 cannot be checked",
  ],
])(
  "the cost of %s dollars and the limit of %s for a slot are shown as: %s",
  (costPerSlot, costPerSlotMax, words) => {
    expect(formatSlotCost({ costPerSlot, costPerSlotMax })).toBe(words);
  },
);

test("a preview shows a slot's cost over all endpoints, and why a limit would refuse it", () => {
  const cost = (endpointName: string, perRun: number | null) => ({
    endpointId: endpointName,
    endpointName,
    perRun,
    perMonth: perRun === null ? null : perRun * 120,
  });
  const known = [cost("B2", 1), cost("S3", 0.5)];
  const partial = [...known, cost("Unpriced", null)];
  expect(formatTogether(known)).toBe("$1.50 per slot, $180.00 per month");
  expect(formatTogether(partial)).toBe(
    "at least $1.50 per slot, $180.00 per month; the price of 1 endpoint is unknown",
  );
  expect(slotLimitProblem(known, 1.5)).toBeNull();
  expect(slotLimitProblem(partial, null)).toBeNull();
  expect(slotLimitProblem(known, 1.25)).toBe(
    "One slot is estimated to cost $1.50, and at most $1.25 is allowed.",
  );
  expect(slotLimitProblem(partial, 5)).toBe(
    "The limit of $5.00 cannot be checked for Unpriced, which has no price list.",
  );
});

test("slots are queued until one of them runs, and their wait counts in the time left", () => {
  const slots = { underWayCount: 2, slotSeconds: 30, beginsAt: new Date(120_000), runsSince: null };
  expect(formatSlotsLeft(slots, 0)).toEqual({ count: "2 queued", left: "at least 3 min left" });
  expect(formatSlotsLeft(slots, 121_000)).toEqual({ count: "2 queued", left: "at least 1 min left" });
  const running = { ...slots, beginsAt: null, runsSince: new Date(130_000) };
  expect(formatSlotsLeft(running, 130_000)).toEqual({
    count: "1 running, 1 queued",
    left: "at least 1 min left",
  });
  // A slot that takes longer than those before it leaves the others' time.
  expect([150_000, 200_000].map((nowMs) => formatSlotsLeft(running, nowMs).left)).toEqual([
    "at least 40 s left",
    "at least 30 s left",
  ]);
  expect(formatSlotsLeft({ ...running, underWayCount: 1 }, 200_000).left).toBe("about to end");
  expect(formatSlotsLeft({ ...running, underWayCount: 1 }, 0).count).toBe("1 running");
});
