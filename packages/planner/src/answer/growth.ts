/**
 * When the load outgrows the pool. All five constraints are linear in the uploads a second, so the drives that the load
 * needs grow by (1 + growthPerYear) ^ (months / 12) from what it needs today. The pool is outgrown in the first month in
 * which they are more than the drives that are left when `serverFailuresTolerated` servers are dead.
 */

import { drivesUnder, loadAfter } from "../sizing/plan.ts";
import type { StashPlanInput } from "../sizing/types.ts";
import { counted } from "../words.ts";
import type { Pool } from "./pool.ts";

const GROWTH_MONTHS = 120;
const MONTHS_PER_YEAR = 12;

export interface GrowthPoint {
  /** From today, 0 to 120. */
  readonly month: number;
  readonly uploadsPerSecond: number;
  /** Fraction of drives that the binding constraint needs. */
  readonly loadDrives: number;
  readonly drivesForLoad: number;
}

export interface PlanGrowth {
  readonly pool: Pool;
  readonly points: readonly GrowthPoint[];
  /** First month in which the load needs more than `pool.carryingDrives`; null when none of the ten years has it. */
  readonly outgrownAtMonth: number | null;
  readonly sentence: string;
}

export function growthOf(input: StashPlanInput, pool: Pool): PlanGrowth {
  const today = loadAfter(input, 0);
  const loadDrivesToday = Math.max(...Object.values(drivesUnder(input, today)));
  const points = Array.from({ length: GROWTH_MONTHS + 1 }, (_, month): GrowthPoint => {
    const factor = (1 + input.growthPerYear) ** (month / MONTHS_PER_YEAR);
    const loadDrives = loadDrivesToday * factor;
    return {
      month,
      uploadsPerSecond: today.uploadsPerSecond * factor,
      loadDrives,
      drivesForLoad: Math.max(1, Math.ceil(loadDrives)),
    };
  });
  const outgrown = points.find(({ drivesForLoad }) => drivesForLoad > pool.carryingDrives);
  return {
    pool,
    points,
    outgrownAtMonth: outgrown?.month ?? null,
    sentence: sentenceOf(input, pool, outgrown),
  };
}

function sentenceOf(input: StashPlanInput, pool: Pool, outgrown: GrowthPoint | undefined): string {
  const name = `the ${pool.basis} pool of ${counted(pool.drives, "drive")}`;
  if (outgrown === undefined) {
    if (input.growthPerYear > 0) return `The load does not outgrow ${name} within ten years.`;
    return `The load does not grow, so it never outgrows ${name}.`;
  }
  const needed = counted(outgrown.drivesForLoad, "drive");
  const left = `${counted(pool.carryingDrives, "drive")} carry the load with ${counted(input.serverFailuresTolerated, "server")} dead`;
  if (outgrown.month === 0) return `The load needs ${needed} today, and of ${name} ${left}.`;
  return `In month ${outgrown.month} the load needs ${needed}, and of ${name} ${left}.`;
}
