import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { lockPlan } from "./find.ts";

/** Plans no further slots until resumed; one that waits or runs goes on. */
export function pauseBenchmarkPlan(verb: Verb<{ planId: string }>): Promise<void> {
  return setPaused(verb, true);
}

/** Plans slots again from now on; what was due during the pause is not made up for. */
export function resumeBenchmarkPlan(verb: Verb<{ planId: string }>): Promise<void> {
  return setPaused(verb, false);
}

async function setPaused({ ctx, input }: Verb<{ planId: string }>, paused: boolean): Promise<void> {
  requireRole(ctx, "operator");
  await ctx.platform.db.$transaction(async (tx) => {
    const plan = await lockPlan(tx, input.planId);
    if ((plan.schedule.pausedAt !== null) === paused) return;
    const now = ctx.platform.now();
    await tx.schedule.update({
      where: { id: plan.scheduleId },
      data: paused ? { pausedAt: now } : { pausedAt: null, plannedUntil: now },
    });
    await writeAudit(tx, ctx, {
      action: paused ? "benchmark.plan_paused" : "benchmark.plan_resumed",
      target: { kind: "benchmark plan", id: plan.id, name: plan.name },
      before: { paused: !paused },
      after: { paused },
    });
  });
}
