/** Marks of job runs with unusual outcomes on charts. */
import type { ScheduleRunRow } from "@stashlight/contracts/schedule";
import type { ChartEvent } from "@stashlight/ui/chart";
import { runStatus } from "../runs.ts";

type Run = Pick<
  ScheduleRunRow,
  "state" | "plannedAt" | "startedAt" | "finishedAt" | "scheduleName" | "outcome"
>;

/** Outcome of a run for which no worker was running; its reason held when it was planned. */
const MISSED = "Missed: ";

/** Places a run at the time of its outcome, which need not have held when it was planned or began. */
export function runsToEvents(runs: readonly Run[]): ChartEvent[] {
  return runs.map(({ state, plannedAt, startedAt, finishedAt, scheduleName, outcome }) => ({
    timeMs: (outcome?.startsWith(MISSED) ? plannedAt : (finishedAt ?? startedAt ?? plannedAt)).getTime(),
    label: `Job ${state}: ${outcome?.replace(/^Skipped: /, "") ?? scheduleName}`,
    status: runStatus[state],
  }));
}
