import type { pauseBenchmarkPlanInput } from "@stashlight/contracts/benchmark";
import { requireRole, type Verb } from "../context.ts";
import { setPaused } from "../schedule/set-paused.ts";
import { lockPlan } from "./stored-plan.ts";

/** Pauses or resumes a plan; a queued or running slot continues. */
export async function pauseBenchmarkPlan({
  ctx,
  input: { planId, isPaused },
}: Verb<typeof pauseBenchmarkPlanInput>): Promise<void> {
  requireRole(ctx, "operator");
  await ctx.platform.db.$transaction(async (tx) => {
    const { id, name, schedule } = await lockPlan(tx, planId);
    await setPaused(tx, ctx, {
      schedule,
      isPaused,
      action: isPaused ? "benchmark.plan_paused" : "benchmark.plan_resumed",
      target: { kind: "benchmark plan", id, name },
    });
  });
}
