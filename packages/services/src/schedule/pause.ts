import type { pauseScheduleInput } from "@stashlight/contracts/schedule";
import { requireRole, type Verb } from "../context.ts";
import { setPaused } from "./set-paused.ts";
import { findSchedule } from "./stored-schedule.ts";

/** Pauses or resumes a schedule. */
export async function pauseSchedule({
  ctx,
  input: { scheduleId, isPaused },
}: Verb<typeof pauseScheduleInput>): Promise<void> {
  requireRole(ctx, "admin");
  await ctx.platform.db.$transaction(async (tx) => {
    const schedule = await findSchedule(tx, scheduleId);
    await setPaused(tx, ctx, {
      schedule,
      isPaused,
      action: isPaused ? "schedule.paused" : "schedule.resumed",
      target: { kind: "schedule", id: schedule.id, name: schedule.name },
    });
  });
}
