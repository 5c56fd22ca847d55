/**
 * Finds when the load outgrows a pool. Growth is compound, so the load of month t is today's times (1 + growthPerYear)
 * ^ (t / 12). A pool is outgrown in the first month in which it does not suffice for that load: today if the plan's
 * placement of shards is impossible. The months extend to the horizon, so that a pool which does not suffice at the
 * horizon has a month.
 */

import type { StashPlanInput } from "../sizing/plan-types.ts";
import { loadAfter, type StashPlan } from "../sizing/required-drives.ts";
import { type Pool, poolSuffices } from "./pool.ts";

const GROWTH_MONTHS = 120;
const MONTHS_PER_YEAR = 12;

export interface GrowthPoint {
  /** Months from today: 0 to 120, or to the horizon if that is later. */
  readonly month: number;
  readonly uploadsPerSecond: number;
  /** Load as a multiple of today's. */
  readonly times: number;
}

export function growthPoints(input: StashPlanInput): GrowthPoint[] {
  const today = loadAfter(input, 0).uploadsPerSecond;
  return months(input).map((month): GrowthPoint => {
    const { uploadsPerSecond } = loadAfter(input, month / MONTHS_PER_YEAR);
    return { month, uploadsPerSecond, times: uploadsPerSecond / today };
  });
}

/** Returns null if the pool suffices in all months. */
export function outgrownAtMonth(input: StashPlanInput, plan: StashPlan, pool: Pool): number | null {
  const outgrown = months(input).find(
    (month) => !poolSuffices(input, plan, pool, loadAfter(input, month / MONTHS_PER_YEAR)),
  );
  return outgrown ?? null;
}

function months({ horizonYears }: StashPlanInput): number[] {
  const last = Math.max(GROWTH_MONTHS, Math.ceil(horizonYears * MONTHS_PER_YEAR));
  return Array.from({ length: last + 1 }, (_, month) => month);
}

/** Formats "today", "month 7", "never". */
export function describeOutgrown(input: StashPlanInput, month: number | null): string {
  if (month !== null) return month === 0 ? "today" : `month ${month}`;
  if (input.growthPerYear <= 0) return "never: the load does not grow";
  return `not within ${Math.max(GROWTH_MONTHS / MONTHS_PER_YEAR, Math.ceil(input.horizonYears))} years`;
}
