/** Marks of job runs with unusual outcomes on charts. */
import { missedOutcome, type ScheduleRunRow } from "@stashlight/contracts/schedule";
import type { ChartEvent } from "@stashlight/ui/chart";
import { runStatus } from "../runs.ts";

type Run = Pick<
  ScheduleRunRow,
  "state" | "plannedAt" | "startedAt" | "finishedAt" | "scheduleName" | "outcome"
>;

/**
 * Places a run at the time of its outcome, which need not have held when it was planned or began. The reason of a missed
 * run held when it was planned.
 */
export function runsToEvents(runs: readonly Run[]): ChartEvent[] {
  return runs.map(({ state, plannedAt, startedAt, finishedAt, scheduleName, outcome }) => ({
    timeMs: (outcome === missedOutcome ? plannedAt : (finishedAt ?? startedAt ?? plannedAt)).getTime(),
    label: `Job ${state}: ${outcome?.replace(/^Skipped: /, "") ?? scheduleName}`,
    status: runStatus[state],
  }));
}
