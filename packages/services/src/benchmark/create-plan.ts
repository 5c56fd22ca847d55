import type { createBenchmarkPlanInput } from "@stashlight/contracts/benchmark";
import { benchmarkPlanColumns } from "@stashlight/db/columns/benchmark";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { refuseTakenName } from "../taken-name.ts";
import { checkPlan } from "./check-plan.ts";
import { findPlan, planAudit, planScheduleName } from "./stored-plan.ts";

/** Creates a plan. Its first slot is the next one due; earlier slots are skipped. */
export async function createBenchmarkPlan({
  ctx,
  input,
}: Verb<typeof createBenchmarkPlanInput>): Promise<{ planId: string }> {
  requireRole(ctx, "operator");
  const now = ctx.platform.now();
  const planId = newId();
  await ctx.platform.db.$transaction(async (tx) => {
    await refuseTakenName(tx.benchmarkPlan, "A schedule", input.name, null);
    const method = await checkPlan(tx, input, now);
    await tx.schedule.create({
      data: {
        id: planId,
        kind: "benchmark",
        name: planScheduleName(input.name),
        description: input.description,
        cron: input.cron,
        timeZone: input.timeZone,
        jitterSeconds: input.jitterSeconds,
        missedPolicy: input.missedPolicy,
        pausedAt: input.isPaused ? now : null,
        plannedUntil: now,
      },
    });
    await tx.benchmarkPlan.create({
      data: {
        id: planId,
        scheduleId: planId,
        name: input.name,
        description: input.description,
        method: benchmarkPlanColumns.method.write(method),
        vantageNodeId: input.vantageNodeId,
        budgetPerMonth: input.budgetPerMonth,
        costPerSlotMax: input.costPerSlotMax,
        writtenBytesPerMonth: input.writtenBytesPerMonth,
        createdAt: now,
        updatedAt: now,
        endpoints: { create: input.endpointIds.map((endpointId, position) => ({ endpointId, position })) },
      },
    });
    await writeAudit(tx, ctx, {
      action: "benchmark.plan_created",
      target: { kind: "benchmark plan", id: planId, name: input.name },
      after: planAudit(await findPlan(tx, planId)),
    });
  });
  return { planId };
}
