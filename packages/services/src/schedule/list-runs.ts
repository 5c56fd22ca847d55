import type { listRunsInput, ScheduleRunRow } from "@stashlight/contracts/process/schedule";
import { requireRole, type Verb } from "../context.ts";
import { routineRuns } from "../housekeeping/routine-runs.ts";
import { toRunRow } from "./run-row.ts";

/** Lists runs planned in a time range, newest first. */
export async function listRuns({ ctx, input }: Verb<typeof listRunsInput>): Promise<ScheduleRunRow[]> {
  requireRole(ctx, "viewer");
  const runs = await ctx.platform.db.scheduleRun.findMany({
    where: {
      plannedAt: { gte: new Date(input.fromMs), lt: new Date(input.toMs) },
      ...(input.scheduleId === undefined ? {} : { scheduleId: input.scheduleId }),
      ...(input.isNotable === true ? { state: { notIn: ["queued", "succeeded"] } } : {}),
      ...(input.withoutRollUps === true ? { NOT: routineRuns } : {}),
    },
    orderBy: { plannedAt: "desc" },
    take: input.pageSize,
    include: { schedule: { select: { name: true } } },
  });
  return runs.map((run) => toRunRow(run, run.schedule.name));
}
