import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { statementsIn } from "../statements-in.ts";
import { whyOverBudget } from "./budget.ts";
import { lockPlan } from "./stored-plan.ts";
import { whyVantageIsUnusable } from "./vantage.ts";

/** Queues a slot for now. Refused while another slot of the plan is queued or running, and over the plan's budget. */
export async function runBenchmarkPlanNow({
  ctx,
  input,
}: Verb<{ planId: string }>): Promise<{ plannedAt: Date }> {
  const { userId, name } = requireRole(ctx, "operator");
  return ctx.platform.db.$transaction(async (tx) => {
    const plan = await lockPlan(tx, input.planId);
    const busy = await tx.scheduleRun.count({
      where: { scheduleId: plan.scheduleId, state: { in: ["queued", "running"] } },
    });
    if (busy > 0) {
      throw new StashlightError("conflict", `"${plan.name}" is already waiting or running; let it finish.`);
    }
    const plannedAt = ctx.platform.now();
    const statements = statementsIn(tx);
    const reason =
      (await whyVantageIsUnusable(statements, plan.vantageNodeId)) ??
      (await whyOverBudget(statements, plan, plannedAt));
    if (reason !== null) throw new StashlightError("precondition_failed", reason);
    await tx.scheduleRun.create({
      data: {
        scheduleId: plan.scheduleId,
        plannedAt,
        trigger: "manual",
        requestedById: userId,
        requestedByName: name,
      },
    });
    await writeAudit(tx, ctx, {
      action: "benchmark.run_requested",
      target: { kind: "benchmark plan", id: plan.id, name: plan.name },
      after: { plannedAt: plannedAt.toISOString() },
    });
    return { plannedAt };
  });
}
