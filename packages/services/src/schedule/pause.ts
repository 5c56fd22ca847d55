import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { findSchedule } from "./find.ts";

/** Plans no further runs until resumed; one that runs already goes on. */
export async function pauseSchedule({ ctx, input }: Verb<{ scheduleId: string }>): Promise<void> {
  requireRole(ctx, "admin");
  await setPaused({ ctx, input }, true);
}

/** Plans runs again from now on; what was due during the pause is not made up for. */
export async function resumeSchedule({ ctx, input }: Verb<{ scheduleId: string }>): Promise<void> {
  requireRole(ctx, "admin");
  await setPaused({ ctx, input }, false);
}

async function setPaused({ ctx, input }: Verb<{ scheduleId: string }>, paused: boolean): Promise<void> {
  await ctx.platform.db.$transaction(async (tx) => {
    const schedule = await findSchedule(tx, input.scheduleId);
    if ((schedule.pausedAt !== null) === paused) return;
    const now = ctx.platform.now();
    await tx.schedule.update({
      where: { id: schedule.id },
      data: paused ? { pausedAt: now } : { pausedAt: null, plannedUntil: now },
    });
    await writeAudit(tx, ctx, {
      action: paused ? "schedule.paused" : "schedule.resumed",
      target: { kind: "schedule", id: schedule.id, name: schedule.name },
      before: { paused: !paused },
      after: { paused },
    });
  });
}
