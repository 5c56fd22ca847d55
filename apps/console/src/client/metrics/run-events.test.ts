import { missedOutcome } from "@stashlight/contracts/schedule";
import { expect, test } from "vitest";
import { runsToEvents } from "./run-events.ts";

const run = {
  state: "skipped",
  plannedAt: new Date("2026-11-30T20:39:56Z"),
  startedAt: null,
  finishedAt: new Date("2026-11-30T20:43:10Z"),
  scheduleName: "Stash against direct",
  outcome: "Skipped: The vault is 100 % full.",
} as const;

test("a skipped run is marked when it was skipped, since its reason did not hold when it was planned", () => {
  expect(runsToEvents([run])).toEqual([
    {
      timeMs: Date.UTC(2026, 10, 30, 20, 43, 10),
      label: "Job skipped: The vault is 100 % full.",
      status: "warning",
    },
  ]);
});

test("a run that no worker took is marked at its planned time, since a worker must be running when this is found", () => {
  const outcome = missedOutcome;
  expect(runsToEvents([{ ...run, outcome }])).toMatchObject([
    { timeMs: run.plannedAt.getTime(), label: `Job skipped: ${outcome}` },
  ]);
});

test("a run that failed is marked when it ended, since it had not failed when it began", () => {
  const [startedAt, finishedAt] = [new Date("2026-11-30T20:40:00Z"), new Date("2026-11-30T20:40:50Z")];
  const outcome = "1 of 2 endpoints could not be measured.";
  expect(runsToEvents([{ ...run, state: "failed", startedAt, finishedAt, outcome }])).toMatchObject([
    { timeMs: finishedAt.getTime(), label: `Job failed: ${outcome}` },
  ]);
});

test("a run is marked at its start while it runs, and named by its schedule without an outcome", () => {
  const startedAt = new Date("2026-11-30T20:40:00Z");
  const [event] = runsToEvents([{ ...run, state: "running", startedAt, finishedAt: null, outcome: null }]);
  expect(event).toMatchObject({
    timeMs: startedAt.getTime(),
    label: "Job running: Stash against direct",
  });
});
