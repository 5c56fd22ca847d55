import type { BenchmarkComparisonQuestion, BenchmarkRestQueued } from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";
import { writeAudit } from "../audit/write.ts";
import { slotsWithinBudget } from "../benchmark/budget.ts";
import { lockPlan } from "../benchmark/stored-plan.ts";
import { whyVantageIsUnusable } from "../benchmark/vantage.ts";
import { type Context, requireRole, type Verb } from "../context.ts";
import { statementsIn } from "../statements-in.ts";
import { missingSlots } from "./count-slots.ts";
import { findPlanOfResults } from "./results-plan.ts";
import { pairOfPlan, questionUntilNow, timedSubjects } from "./verdict-question.ts";

/** Planned times identify slots, so no two may be equal; slots run one after another in any case. */
const apartMs = 1000;

/**
 * Queues the slots that a verdict still needs, to run one after another, even for a paused plan. Queued and running
 * slots are no longer missing, so a second request queues nothing. If the budget runs out, queues as many as it allows.
 */
export async function runRestOfBenchmark({
  ctx,
  input,
}: Verb<BenchmarkComparisonQuestion>): Promise<BenchmarkRestQueued> {
  return queueMissing(ctx, input.planId, () => input);
}

/** Queues the slots that a verdict on a plan's first two endpoints still needs, even before any measurement. */
export async function runBenchmarkUntilVerdict({
  ctx,
  input: { planId },
}: Verb<{ planId: string }>): Promise<BenchmarkRestQueued> {
  requireRole(ctx, "operator");
  await findPlanOfResults(ctx.platform.db, planId);
  const pair = await pairOfPlan(ctx.platform, planId);
  if (pair === null) {
    throw new StashlightError(
      "precondition_failed",
      "A verdict compares two endpoints, and this schedule measures one; add another to it.",
    );
  }
  const [subject] = await timedSubjects(ctx, planId);
  return queueMissing(ctx, planId, (now) =>
    subject === undefined ? null : questionUntilNow(now, planId, subject, pair),
  );
}

/** `questionAt` receives the moment at which the plan is locked, so that a query up to now includes that moment. */
async function queueMissing(
  ctx: Context,
  planId: string,
  questionAt: (now: Date) => BenchmarkComparisonQuestion | null,
): Promise<BenchmarkRestQueued> {
  const { userId, name } = requireRole(ctx, "operator");
  const { platform } = ctx;
  return platform.db.$transaction(async (tx) => {
    const plan = await lockPlan(tx, planId);
    const now = platform.now();
    const question = questionAt(now);
    if (question !== null) requireMeasurable(plan.endpoints, question, now);
    const { scheduleId } = plan;
    const waitingCount = await tx.scheduleRun.count({ where: { scheduleId, state: "queued" } });
    const runningCount = await tx.scheduleRun.count({ where: { scheduleId, state: "running" } });
    const { missingCount } = await missingSlots(platform, question, waitingCount + runningCount);
    if (missingCount === 0) return { queuedCount: 0, reason: null };
    const statements = statementsIn(tx);
    const unusable = await whyVantageIsUnusable(statements, plan.vantageNodeId);
    if (unusable !== null) throw new StashlightError("precondition_failed", unusable);
    const counts = { wantedCount: missingCount, waitingCount };
    const { count, reason } = await slotsWithinBudget(statements, plan, now, counts);
    if (count === 0) throw new StashlightError("precondition_failed", reason ?? "The budget is spent.");
    const times = await freeTimes(tx, scheduleId, now, count);
    await tx.scheduleRun.createMany({
      data: times.map((plannedAt) => ({
        scheduleId,
        plannedAt,
        trigger: "manual" as const,
        requestedById: userId,
        requestedByName: name,
      })),
    });
    await writeAudit(tx, ctx, {
      action: "benchmark.rest_requested",
      target: { kind: "benchmark plan", id: plan.id, name: plan.name },
      after: { plannedAt: times.map((plannedAt) => plannedAt.toISOString()) },
    });
    return { queuedCount: count, reason };
  });
}

function requireMeasurable(
  endpoints: readonly { endpointId: string }[],
  { endpointAId, endpointBId, toMs }: BenchmarkComparisonQuestion,
  now: Date,
): void {
  const isMeasured = (id: string): boolean => endpoints.some(({ endpointId }) => endpointId === id);
  if (!isMeasured(endpointAId) || !isMeasured(endpointBId)) {
    throw new StashlightError("precondition_failed", "The schedule no longer measures both endpoints.");
  }
  if (toMs >= now.getTime()) return;
  throw new StashlightError(
    "precondition_failed",
    "This time range has ended, so slots that run now would not be in it. Choose one that ends now.",
  );
}

/** Returns times from now on, after all existing slots of the plan. */
async function freeTimes(tx: Transaction, scheduleId: string, now: Date, count: number): Promise<Date[]> {
  const last = await tx.scheduleRun.findFirst({ where: { scheduleId }, orderBy: { plannedAt: "desc" } });
  const firstMs = Math.max(now.getTime(), last === null ? 0 : last.plannedAt.getTime() + apartMs);
  return Array.from({ length: count }, (_, i) => new Date(firstMs + i * apartMs));
}
