import type { deleteBenchmarkPlanInput } from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { lockPlan, planAudit } from "./stored-plan.ts";

/** Deletes the plan with its slots; its measurements stay. */
export async function deleteBenchmarkPlan({
  ctx,
  input,
}: Verb<typeof deleteBenchmarkPlanInput>): Promise<void> {
  requireRole(ctx, "operator");
  await ctx.platform.db.$transaction(async (tx) => {
    const plan = await lockPlan(tx, input.planId);
    if (plan.name !== input.name) {
      throw new StashlightError("invalid_input", `Type the schedule's name, ${plan.name}, to delete it.`, {
        field: "name",
      });
    }
    const running = await tx.scheduleRun.count({ where: { scheduleId: plan.scheduleId, state: "running" } });
    if (running > 0) {
      throw new StashlightError("conflict", `"${plan.name}" is running; cancel it or let it finish first.`);
    }
    await tx.schedule.delete({ where: { id: plan.scheduleId } });
    await writeAudit(tx, ctx, {
      action: "benchmark.plan_deleted",
      target: { kind: "benchmark plan", id: plan.id, name: plan.name },
      before: planAudit(plan),
    });
  });
}
