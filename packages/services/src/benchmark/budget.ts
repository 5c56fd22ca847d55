/**
 * What a plan may cost a calendar month (UTC). A run is counted with its expected cost when it begins and with its true
 * one when it ends, so what is interrupted is counted too, and the budget is never passed.
 */
import type { Statements } from "../statements.ts";
import { methodOfPlan } from "./find.ts";
import { estimateOf, priceOf } from "./method.ts";
import { dollars, monthOf } from "./money.ts";

interface Budgeted {
  id: string;
  name: string;
  method: unknown;
  budgetPerMonth: number | null;
}

export async function spentThisMonth(statements: Statements, planId: string, now: Date): Promise<number> {
  const { from, to } = monthOf(now);
  const [row] = await statements.query<{ spent: number | null }>(
    `SELECT sum(cost) AS spent FROM benchmark_run
      WHERE plan_id = $1::uuid AND started_at >= $2::timestamptz AND started_at < $3::timestamptz`,
    [planId, from.toISOString(), to.toISOString()],
  );
  return row?.spent ?? 0;
}

/** Null when a slot of these endpoints (without them: all of the plan) stays within the budget, else why not. */
export async function whyOverBudget(
  statements: Statements,
  plan: Budgeted,
  now: Date,
  endpointIds?: readonly string[],
): Promise<string | null> {
  if (plan.budgetPerMonth === null) return null;
  const { slotCost, spent } = await costsOf(statements, plan, now, endpointIds);
  if (spent + slotCost <= plan.budgetPerMonth) return null;
  return `It ${overBudget(plan.budgetPerMonth, slotCost, spent)}`;
}

/**
 * How many of the wanted slots the budget holds besides those that wait already, and why not all of them. A slot that
 * waits is counted with what it is expected to cost, because nothing of it is spent yet.
 */
export async function slotsWithinBudget(
  statements: Statements,
  plan: Budgeted,
  now: Date,
  { wantedCount, waitingCount }: { wantedCount: number; waitingCount: number },
): Promise<{ count: number; reason: string | null }> {
  if (plan.budgetPerMonth === null) return { count: wantedCount, reason: null };
  const { slotCost, spent } = await costsOf(statements, plan, now);
  const left = plan.budgetPerMonth - spent - waitingCount * slotCost;
  const count =
    slotCost === 0 ? wantedCount : Math.max(0, Math.min(wantedCount, Math.floor(left / slotCost)));
  return {
    count,
    reason: count === wantedCount ? null : `A slot ${overBudget(plan.budgetPerMonth, slotCost, spent)}`,
  };
}

const overBudget = (budget: number, slotCost: number, spent: number): string =>
  `would cost ${dollars(slotCost)}, and ${dollars(spent)} of this month's ${dollars(budget)} are spent.`;

async function costsOf(
  statements: Statements,
  plan: Budgeted,
  now: Date,
  endpointIds?: readonly string[],
): Promise<{ slotCost: number; spent: number }> {
  const endpoints = await statements.query<{ id: string; priceList: unknown }>(
    `SELECT e.id, e.price_list AS "priceList"
       FROM benchmark_plan_endpoint AS c JOIN endpoint AS e ON e.id = c.endpoint_id
      WHERE c.plan_id = $1::uuid AND ($2::uuid[] IS NULL OR e.id = ANY ($2::uuid[]))`,
    [plan.id, endpointIds ?? null],
  );
  const estimate = estimateOf(methodOfPlan(plan));
  const slotCost = endpoints.reduce((sum, endpoint) => sum + (priceOf(estimate, endpoint) ?? 0), 0);
  return { slotCost, spent: await spentThisMonth(statements, plan.id, now) };
}
