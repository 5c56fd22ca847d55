/**
 * What a plan may cost a calendar month (UTC). A run is counted with its expected cost when it begins and with its true
 * one when it ends, so what is interrupted is counted too, and the budget is never passed.
 */
import type { Transaction } from "@stashlight/db";
import { methodOfPlan } from "./find.ts";
import { estimateOf, priceOf } from "./method.ts";
import { dollars, monthOf } from "./money.ts";

type Reader = Pick<Transaction, "benchmarkRun" | "benchmarkPlanEndpoint">;

interface Budgeted {
  id: string;
  name: string;
  method: unknown;
  budgetPerMonth: number | null;
}

export async function spentThisMonth(
  tx: Pick<Transaction, "benchmarkRun">,
  planId: string,
  now: Date,
): Promise<number> {
  const { from, to } = monthOf(now);
  const { _sum } = await tx.benchmarkRun.aggregate({
    where: { planId, startedAt: { gte: from, lt: to } },
    _sum: { cost: true },
  });
  return _sum.cost ?? 0;
}

/** Null when a slot of these endpoints (without them: all of the plan) stays within the budget, else why not. */
export async function whyOverBudget(
  tx: Reader,
  plan: Budgeted,
  now: Date,
  endpointIds?: readonly string[],
): Promise<string | null> {
  if (plan.budgetPerMonth === null) return null;
  const chosen = await tx.benchmarkPlanEndpoint.findMany({
    where: {
      planId: plan.id,
      ...(endpointIds === undefined ? {} : { endpointId: { in: [...endpointIds] } }),
    },
    select: { endpoint: { select: { id: true, priceList: true } } },
  });
  const estimate = estimateOf(methodOfPlan(plan));
  const slotCost = chosen.reduce((sum, { endpoint }) => sum + (priceOf(estimate, endpoint) ?? 0), 0);
  const spent = await spentThisMonth(tx, plan.id, now);
  if (spent + slotCost <= plan.budgetPerMonth) return null;
  return `It would cost ${dollars(slotCost)}, and ${dollars(spent)} of this month's ${dollars(plan.budgetPerMonth)} are spent.`;
}
