import type { updateBenchmarkPlanInput } from "@stashlight/contracts/benchmark";
import type { Transaction } from "@stashlight/db";
import { benchmarkPlanColumns } from "@stashlight/db/columns/benchmark";
import type { z } from "zod";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { refuseTakenName } from "../taken-name.ts";
import { checkPlan } from "./check-plan.ts";
import { findPlan, lockPlan, planAudit, planScheduleName, type StoredPlan } from "./stored-plan.ts";

type Input = z.output<typeof updateBenchmarkPlanInput>;

/** Changes a plan. A running slot ends as it began. With a new schedule, past due times are not made up for. */
export async function updateBenchmarkPlan({ ctx, input }: Verb<Input>): Promise<void> {
  requireRole(ctx, "operator");
  const now = ctx.platform.now();
  await ctx.platform.db.$transaction(async (tx) => {
    const before = await lockPlan(tx, input.planId);
    await refuseTakenName(tx.benchmarkPlan, "A schedule", input.name, before.id);
    const method = await checkPlan(tx, input, now);
    await updateSchedule(tx, before, input, now);
    await tx.benchmarkPlanEndpoint.deleteMany({ where: { planId: before.id } });
    await tx.benchmarkPlan.update({
      where: { id: before.id },
      data: {
        name: input.name,
        description: input.description,
        method: benchmarkPlanColumns.method.write(method),
        vantageNodeId: input.vantageNodeId,
        budgetPerMonth: input.budgetPerMonth,
        costPerSlotMax: input.costPerSlotMax,
        writtenBytesPerMonth: input.writtenBytesPerMonth,
        updatedAt: now,
        endpoints: { create: input.endpointIds.map((endpointId, position) => ({ endpointId, position })) },
      },
    });
    await writeAudit(tx, ctx, {
      action: "benchmark.plan_changed",
      target: { kind: "benchmark plan", id: before.id, name: input.name },
      before: planAudit(before),
      after: planAudit(await findPlan(tx, before.id)),
    });
  });
}

async function updateSchedule(
  tx: Transaction,
  { scheduleId, schedule }: StoredPlan,
  input: Input,
  now: Date,
): Promise<void> {
  const wasPaused = schedule.pausedAt !== null;
  const isNewTime =
    schedule.cron !== input.cron || schedule.timeZone !== input.timeZone || (wasPaused && !input.isPaused);
  await tx.schedule.update({
    where: { id: scheduleId },
    data: {
      name: planScheduleName(input.name),
      description: input.description,
      cron: input.cron,
      timeZone: input.timeZone,
      jitterSeconds: input.jitterSeconds,
      missedPolicy: input.missedPolicy,
      ...(wasPaused === input.isPaused ? {} : { pausedAt: input.isPaused ? now : null }),
      ...(isNewTime ? { plannedUntil: now } : {}),
    },
  });
}
