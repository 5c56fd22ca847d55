import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { findSchedule } from "./stored-schedule.ts";

/** Queues a run for now; refused while another run of the schedule is queued or running. */
export async function runScheduleNow({
  ctx,
  input,
}: Verb<{ scheduleId: string }>): Promise<{ plannedAt: Date }> {
  const { userId, name } = requireRole(ctx, "operator");
  return ctx.platform.db.$transaction(async (tx) => {
    const schedule = await findSchedule(tx, input.scheduleId);
    const busy = await tx.scheduleRun.count({
      where: { scheduleId: schedule.id, state: { in: ["queued", "running"] } },
    });
    if (busy > 0) {
      throw new StashlightError(
        "conflict",
        `"${schedule.name}" is already waiting or running; let it finish.`,
      );
    }
    const plannedAt = ctx.platform.now();
    await tx.scheduleRun.create({
      data: {
        scheduleId: schedule.id,
        plannedAt,
        trigger: "manual",
        requestedById: userId,
        requestedByName: name,
      },
    });
    await writeAudit(tx, ctx, {
      action: "schedule.run_requested",
      target: { kind: "schedule", id: schedule.id, name: schedule.name },
      after: { plannedAt: plannedAt.toISOString() },
    });
    return { plannedAt };
  });
}
