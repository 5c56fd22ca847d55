/**
 * Limits of a plan: cost per calendar month (UTC) and per slot, and bytes written to drives per month. A run counts
 * with its expected cost when it begins, and with its actual cost from its end on. So interrupted runs count too, and
 * no limit is ever exceeded.
 */
import type { Statements } from "../statements.ts";
import { estimatedPrice, methodEstimate } from "./method.ts";
import { calendarMonth, dollars } from "./money.ts";
import { planMethod } from "./stored-plan.ts";

interface Budgeted {
  id: string;
  name: string;
  method: unknown;
  budgetPerMonth: number | null;
  costPerSlotMax: number | null;
  writtenBytesPerMonth: number | null;
}

/** Bytes that the plan's runs wrote to drives. */
export async function writtenThisMonth(statements: Statements, planId: string, now: Date): Promise<number> {
  const { from, to } = calendarMonth(now);
  const [row] = await statements.query<{ written: number | null }>(
    `SELECT sum(written_bytes) AS written FROM benchmark_run
      WHERE plan_id = $1::uuid AND started_at >= $2::timestamptz AND started_at < $3::timestamptz`,
    [planId, from.toISOString(), to.toISOString()],
  );
  return row?.written ?? 0;
}

export async function spentThisMonth(statements: Statements, planId: string, now: Date): Promise<number> {
  const { from, to } = calendarMonth(now);
  const [row] = await statements.query<{ spent: number | null }>(
    `SELECT sum(cost) AS spent FROM benchmark_run
      WHERE plan_id = $1::uuid AND started_at >= $2::timestamptz AND started_at < $3::timestamptz`,
    [planId, from.toISOString(), to.toISOString()],
  );
  return row?.spent ?? 0;
}

/** True if runs of this month have an unknown cost, because their endpoint had no price list at the time. */
export async function hasUnpricedRuns(statements: Statements, planId: string, now: Date): Promise<boolean> {
  const { from, to } = calendarMonth(now);
  const [row] = await statements.query<{ has: boolean }>(
    `SELECT EXISTS (SELECT FROM benchmark_run
       WHERE plan_id = $1::uuid AND started_at >= $2::timestamptz AND started_at < $3::timestamptz
         AND cost IS NULL AND sample_count > 0) AS has`,
    [planId, from.toISOString(), to.toISOString()],
  );
  return row?.has ?? false;
}

/** A slot that an earlier attempt may have begun, with the endpoints that remain to be measured. */
interface BegunSlot {
  readonly plannedAt: Date;
  readonly endpointIds: readonly string[];
}

/** Returns null if a slot (by default a new one) stays within its plan's limits, otherwise the reason why not. */
export async function whyOverBudget(
  statements: Statements,
  plan: Budgeted,
  now: Date,
  slot?: BegunSlot,
): Promise<string | null> {
  const overWritten = await slotsWithinWrites(statements, plan, now, {
    wantedCount: 1,
    waitingCount: 0,
    driveIds: slot?.endpointIds,
  });
  if (overWritten.reason !== null) return overWritten.reason;
  if (plan.budgetPerMonth === null && plan.costPerSlotMax === null) return null;
  const cost = await costOfSlot(statements, plan, slot?.endpointIds);
  if ("unknown" in cost) return cost.unknown;
  const spentOnSlot = slot === undefined ? 0 : await spentOn(statements, plan.id, slot.plannedAt);
  const overLimit = overSlotLimit(plan, cost.dollars, spentOnSlot);
  if (overLimit !== null) return `It ${overLimit}`;
  if (plan.budgetPerMonth === null) return null;
  const spent = await spentThisMonth(statements, plan.id, now);
  if (spent + cost.dollars <= plan.budgetPerMonth) return null;
  return `It ${overBudget(plan.budgetPerMonth, cost.dollars, spent)}`;
}

/**
 * Returns the number of wanted slots that the limits allow in addition to those already queued, and the reason if that is not
 * all. A queued slot counts with its expected cost, because none of it is spent yet.
 */
export async function slotsWithinBudget(
  statements: Statements,
  plan: Budgeted,
  now: Date,
  { wantedCount, waitingCount }: { wantedCount: number; waitingCount: number },
): Promise<{ count: number; reason: string | null }> {
  const counts = { wantedCount, waitingCount };
  if (plan.writtenBytesPerMonth !== null) return slotsWithinWrites(statements, plan, now, counts);
  const every = { count: wantedCount, reason: null };
  if (plan.budgetPerMonth === null && plan.costPerSlotMax === null) return every;
  const cost = await costOfSlot(statements, plan);
  if ("unknown" in cost) return { count: 0, reason: cost.unknown };
  const overLimit = overSlotLimit(plan, cost.dollars, 0);
  if (overLimit !== null) return { count: 0, reason: `A slot ${overLimit}` };
  if (plan.budgetPerMonth === null || cost.dollars === 0) return every;
  const spent = await spentThisMonth(statements, plan.id, now);
  const left = plan.budgetPerMonth - spent - waitingCount * cost.dollars;
  const count = Math.max(0, Math.min(wantedCount, Math.floor(left / cost.dollars)));
  return {
    count,
    reason: count === wantedCount ? null : `A slot ${overBudget(plan.budgetPerMonth, cost.dollars, spent)}`,
  };
}

/** Returns the number of wanted slots within the monthly write limit, each counted with its maximum. */
async function slotsWithinWrites(
  statements: Statements,
  plan: Budgeted,
  now: Date,
  {
    wantedCount,
    waitingCount,
    driveIds,
  }: { wantedCount: number; waitingCount: number; driveIds?: readonly string[] | undefined },
): Promise<{ count: number; reason: string | null }> {
  if (plan.writtenBytesPerMonth === null) return { count: wantedCount, reason: null };
  const drives = await statements.query<{ id: string }>(
    "SELECT endpoint_id AS id FROM benchmark_plan_endpoint WHERE plan_id = $1::uuid",
    [plan.id],
  );
  const ofSlot = methodEstimate(planMethod(plan)).writtenBytes * (driveIds ?? drives).length;
  const written = await writtenThisMonth(statements, plan.id, now);
  const left = plan.writtenBytesPerMonth - written - waitingCount * ofSlot;
  const count = ofSlot === 0 ? wantedCount : Math.max(0, Math.min(wantedCount, Math.floor(left / ofSlot)));
  if (count === wantedCount) return { count, reason: null };
  const [most, done, limit] = [ofSlot, written, plan.writtenBytesPerMonth].map(gigabytes);
  return {
    count,
    reason: `A slot could write ${most}, and ${done} of this month's limit of ${limit} are written.`,
  };
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

const overBudget = (budget: number, slotCost: number, spent: number): string =>
  `would cost ${dollars(slotCost)}, and ${dollars(spent)} of this month's ${dollars(budget)} are spent.`;

/**
 * Returns the rest of a sentence about a slot, or null if it is within the limit. Spending by an earlier attempt counts
 * towards the slot.
 */
function overSlotLimit(
  { costPerSlotMax }: Pick<Budgeted, "costPerSlotMax">,
  costLeft: number,
  spentOnSlot: number,
): string | null {
  if (costPerSlotMax === null || spentOnSlot + costLeft <= costPerSlotMax) return null;
  const spent = spentOnSlot === 0 ? "" : `, ${dollars(spentOnSlot)} of it already spent`;
  return `would cost ${dollars(spentOnSlot + costLeft)}${spent}, and one slot may cost at most ${dollars(costPerSlotMax)}.`;
}

async function spentOn(statements: Statements, planId: string, slotAt: Date): Promise<number> {
  const [row] = await statements.query<{ spent: number | null }>(
    "SELECT sum(cost) AS spent FROM benchmark_run WHERE plan_id = $1::uuid AND slot_at = $2::timestamptz",
    [planId, slotAt],
  );
  return row?.spent ?? 0;
}

/** Returns the expected cost at today's prices of a slot of these endpoints (by default, all endpoints of the plan). */
async function costOfSlot(
  statements: Statements,
  plan: Budgeted,
  endpointIds?: readonly string[],
): Promise<{ dollars: number } | { unknown: string }> {
  const endpoints = await statements.query<{ id: string; name: string; priceList: unknown }>(
    `SELECT e.id, e.name, e.price_list AS "priceList"
       FROM benchmark_plan_endpoint AS c JOIN endpoint AS e ON e.id = c.endpoint_id
      WHERE c.plan_id = $1::uuid AND ($2::uuid[] IS NULL OR e.id = ANY ($2::uuid[]))`,
    [plan.id, endpointIds ?? null],
  );
  const estimate = methodEstimate(planMethod(plan));
  let sum = 0;
  for (const endpoint of endpoints) {
    const cost = estimatedPrice(estimate, endpoint);
    if (cost === null) {
      return {
        unknown: `What it would cost cannot be checked, because the endpoint "${endpoint.name}" has no price list.`,
      };
    }
    sum += cost;
  }
  return { dollars: sum };
}
