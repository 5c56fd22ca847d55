import type { BenchmarkPlanVerdict } from "@stashlight/contracts/benchmark";
import { requireRole, type Verb } from "../context.ts";
import type { WithCalculator } from "./calculator.ts";
import { countSlots } from "./count-slots.ts";
import { readLatestVerdict } from "./latest-verdicts.ts";
import { findPlanOfResults } from "./results-plan.ts";
import { pairOfPlan, questionUntilNow, timedSubjects } from "./verdict-question.ts";

/**
 * Returns the verdict on a plan's first two endpoints at its first operation and size, or how many slots it still
 * needs.
 */
export async function getBenchmarkPlanVerdict({
  ctx,
  input: { planId },
}: Verb<{ planId: string }, WithCalculator>): Promise<BenchmarkPlanVerdict> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const plan = await findPlanOfResults(platform.db, planId);
  const pair = await pairOfPlan(platform, planId);
  if (pair === null) return { latest: null, slots: null };
  const [subject] = await timedSubjects(ctx, planId);
  if (subject === undefined) return { latest: null, slots: await countSlots(platform, plan, null) };
  const question = questionUntilNow(platform.now(), planId, subject, pair);
  return {
    latest: await readLatestVerdict(platform, plan, subject, pair),
    slots: await countSlots(platform, plan, question),
  };
}
