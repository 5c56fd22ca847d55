import { type listRunsInput, missedOutcome, type ScheduleRunRow } from "@stashlight/contracts/schedule";
import { DAY_MS } from "@stashlight/contracts/time";
import { requireRole, type Verb } from "../context.ts";
import { routineRuns } from "../housekeeping/routine-runs.ts";
import { toRunRow } from "./run-row.ts";

/** Bounds the rows read. A run of a quarterly plan that its vantage point never took ends when the next one is due. */
const LATE_MS_MAX = 100 * DAY_MS;

/**
 * Lists runs planned in a time range, newest first. A notable one is found by the time at which charts mark it: its end,
 * its start while it runs, or its plan if it was missed.
 */
export async function listRuns({ ctx, input }: Verb<typeof listRunsInput>): Promise<ScheduleRunRow[]> {
  requireRole(ctx, "viewer");
  const range = { gte: new Date(input.fromMs), lt: new Date(input.toMs) };
  const runs = await ctx.platform.db.scheduleRun.findMany({
    where: {
      ...(input.scheduleId === undefined ? {} : { scheduleId: input.scheduleId }),
      ...(input.isNotable === true
        ? {
            plannedAt: { gte: new Date(input.fromMs - LATE_MS_MAX), lt: range.lt },
            OR: [
              { state: "running", startedAt: range },
              { state: "failed", finishedAt: range },
              {
                state: "skipped",
                finishedAt: range,
                OR: [{ outcome: null }, { outcome: { not: missedOutcome } }],
              },
              { state: "skipped", plannedAt: range, outcome: missedOutcome },
            ],
          }
        : { plannedAt: range }),
      ...(input.withoutRollUps === true ? { NOT: routineRuns } : {}),
    },
    orderBy: { plannedAt: "desc" },
    take: input.pageSize,
    include: { schedule: { select: { name: true } } },
  });
  return runs.map((run) => toRunRow(run, run.schedule.name));
}
