import type { BenchmarkPlanRow } from "@stashlight/contracts/benchmark";
import { type Context, requireRole, type Verb } from "../context.ts";
import type { Core } from "../core.ts";
import { readRunsUnderWay } from "../schedule/under-way.ts";
import { statementsIn } from "../statements-in.ts";
import { hasUnpricedRuns, spentThisMonth, writtenThisMonth } from "./budget.ts";
import { estimatedSlotCost, measuresDrives } from "./method.ts";
import { toPlanRow, toSlotRow } from "./plan-rows.ts";
import { findPlan, planInclude, planMethod, type StoredPlan } from "./stored-plan.ts";

/** Returns every plan by name, with its next five slots and its latest one. */
export async function listBenchmarkPlans({ ctx }: { ctx: Context }): Promise<BenchmarkPlanRow[]> {
  requireRole(ctx, "viewer");
  const plans = await ctx.platform.db.benchmarkPlan.findMany({
    include: planInclude,
    orderBy: { name: "asc" },
  });
  return Promise.all(plans.map((plan) => readPlanRow(ctx.platform, plan)));
}

export async function getBenchmarkPlan({ ctx, input }: Verb<{ planId: string }>): Promise<BenchmarkPlanRow> {
  requireRole(ctx, "viewer");
  return readPlanRow(ctx.platform, await findPlan(ctx.platform.db, input.planId));
}

async function readPlanRow(platform: Core, plan: StoredPlan): Promise<BenchmarkPlanRow> {
  const { db } = platform;
  const now = platform.now();
  const last = await currentSlot(platform, plan.scheduleId);
  const runs =
    last === null
      ? []
      : await db.benchmarkRun.findMany({
          where: { planId: plan.id, slotAt: last.plannedAt },
          orderBy: [{ attempt: "asc" }, { position: "asc" }],
        });
  return toPlanRow(plan, {
    lastSlot: last === null ? null : toSlotRow(plan.id, last, runs),
    ...(await knownCosts(platform, plan, now)),
    now,
  });
}

/** Returns the slot in progress; without one, the newest slot. */
async function currentSlot({ db }: Core, scheduleId: string) {
  const underWay = (await readRunsUnderWay({ db }, [scheduleId])).get(scheduleId);
  if (underWay !== undefined) return underWay;
  return db.scheduleRun.findFirst({ where: { scheduleId }, orderBy: { plannedAt: "desc" } });
}

/** Costs are unknown if an endpoint has no price list, because the cost of its runs is not counted. */
async function knownCosts(
  { db }: Core,
  plan: StoredPlan,
  now: Date,
): Promise<{ costPerSlot: number | null; spent: number | null; written: number | null }> {
  const endpoints = await db.endpoint.findMany({
    where: { id: { in: plan.endpoints.map(({ endpoint }) => endpoint.id) } },
    select: { id: true, priceList: true },
  });
  const isPriced =
    endpoints.every(({ priceList }) => priceList !== null) &&
    !(await hasUnpricedRuns(statementsIn(db), plan.id, now));
  return {
    costPerSlot: estimatedSlotCost(planMethod(plan), endpoints),
    spent: isPriced ? await spentThisMonth(statementsIn(db), plan.id, now) : null,
    written: measuresDrives(planMethod(plan)) ? await writtenThisMonth(statementsIn(db), plan.id, now) : null,
  };
}
