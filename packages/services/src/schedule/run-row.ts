import type { ScheduleRunRow } from "@stashlight/contracts/schedule";
import type { Prisma } from "@stashlight/db";

export function toRunRow(run: Prisma.ScheduleRunGetPayload<object>, scheduleName: string): ScheduleRunRow {
  return {
    scheduleId: run.scheduleId,
    scheduleName,
    plannedAt: run.plannedAt,
    trigger: run.trigger,
    state: run.state,
    requestedBy: run.requestedByName,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    attempts: run.attempts,
    outcome: run.outcome,
  };
}
