import type { cancelBenchmarkSlotInput } from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { lockPlan } from "./stored-plan.ts";

/**
 * Cancels a slot. A queued slot ends at once; the process behind a running one ends it and keeps its measurements.
 * Slots that were queued by hand after it are cancelled too, because they would begin at once.
 */
export async function cancelBenchmarkSlot({
  ctx,
  input,
}: Verb<typeof cancelBenchmarkSlotInput>): Promise<void> {
  const { name } = requireRole(ctx, "operator");
  const plannedAt = new Date(input.plannedAtMs);
  await ctx.platform.db.$transaction(async (tx) => {
    const plan = await lockPlan(tx, input.planId);
    const now = ctx.platform.now();
    const request = { cancelRequestedAt: now, cancelRequestedByName: name };
    const skipped = {
      ...request,
      state: "skipped" as const,
      outcome: `Cancelled by ${name} before it began.`,
      finishedAt: now,
    };
    const isOpen = { scheduleId: plan.scheduleId, cancelRequestedAt: null };
    const where = { ...isOpen, plannedAt };
    const ended = await tx.scheduleRun.updateMany({ where: { ...where, state: "queued" }, data: skipped });
    const asked = await tx.scheduleRun.updateMany({ where: { ...where, state: "running" }, data: request });
    if (ended.count + asked.count === 0) {
      throw new StashlightError("conflict", "The slot has already ended or been cancelled.");
    }
    await tx.scheduleRun.updateMany({
      where: { ...isOpen, plannedAt: { gt: plannedAt }, state: "queued", trigger: "manual" },
      data: skipped,
    });
    await writeAudit(tx, ctx, {
      action: "benchmark.cancelled",
      target: { kind: "benchmark plan", id: plan.id, name: plan.name },
      after: { plannedAt: plannedAt.toISOString() },
    });
  });
}
