import type { ScheduleRow } from "@stashlight/contracts/schedule";
import { scheduleColumns } from "@stashlight/db/columns/schedule";
import { type Context, requireRole } from "../context.ts";
import { nextOccurrences } from "./occurrences.ts";
import { toRunRow } from "./run-row.ts";
import { readRunsUnderWay } from "./under-way.ts";

const nextRunsCount = 5;

/** Lists every schedule with its run in progress or else its last one, and its next five. */
export async function listSchedules({ ctx }: { ctx: Context }): Promise<ScheduleRow[]> {
  requireRole(ctx, "viewer");
  const now = ctx.platform.now();
  const schedules = await ctx.platform.db.schedule.findMany({
    orderBy: { name: "asc" },
    include: { runs: { orderBy: { plannedAt: "desc" }, take: 1 } },
  });
  const underWay = await readRunsUnderWay(
    ctx.platform,
    schedules.map(({ id }) => id),
  );
  return schedules.map((schedule) => {
    const run = underWay.get(schedule.id) ?? schedule.runs[0];
    return {
      id: schedule.id,
      name: schedule.name,
      description: schedule.description,
      kind: scheduleColumns.kind.read(schedule.kind, schedule.id),
      cron: schedule.cron,
      timeZone: schedule.timeZone,
      paused: schedule.pausedAt !== null,
      nextRunsAt: schedule.pausedAt === null ? nextOccurrences(schedule, now, nextRunsCount) : [],
      lastRun: run === undefined ? null : toRunRow(run, schedule.name),
    };
  });
}
