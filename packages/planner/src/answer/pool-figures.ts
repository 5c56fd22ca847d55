/** Figures of one pool, on which its verdict is based. */

import type { StashPlanInput } from "../sizing/plan-types.ts";
import {
  type ConstraintName,
  constraintNames,
  driveWritesPerDay,
  largestConstraint,
  loadAfter,
  type StashPlan,
  wholeDrives,
} from "../sizing/required-drives.ts";
import { outgrownAtMonth } from "./growth.ts";
import { type Pool, placementHolds, poolCapacityBytes, poolDrivesUnder, poolSuffices } from "./pool.ts";

export interface PoolFigures {
  readonly pool: Pool;
  /** Multiple of today's load that fits, by constraint. */
  readonly timesByConstraint: Readonly<Record<ConstraintName, number>>;
  /** Constraint that is reached first as the load grows. */
  readonly firstConstraint: ConstraintName;
  /** Multiple of today's load that fits; below 1 it does not fit. */
  readonly times: number;
  /** Multiple of the load at the horizon that fits. */
  readonly timesAtHorizon: number;
  readonly missingDrivesAtHorizon: number;
  readonly placementHolds: boolean;
  /** True if today's load fits and placement holds. */
  readonly sufficesToday: boolean;
  /** True if the load at the horizon fits too. */
  readonly suffices: boolean;
  /** First month in which the pool no longer suffices: 0 is today, null if it suffices in all examined months. */
  readonly outgrownAtMonth: number | null;
  /** Longest time for which pods may flush nothing at peak load; null if the pool does not suffice. */
  readonly outageSecondsMax: number | null;
  /** Writes to each drive, as drive writes per day. */
  readonly driveWritesPerDay: number;
}

export function poolFigures(input: StashPlanInput, plan: StashPlan, pool: Pool): PoolFigures {
  const todayLoad = loadAfter(input, 0);
  const today = poolDrivesUnder(input, pool, todayLoad);
  const atHorizon = poolDrivesUnder(input, pool, plan.load);
  const timesByConstraint = Object.fromEntries(
    constraintNames.map((name) => [name, pool.carryingDrives / today[name]]),
  ) as Record<ConstraintName, number>;
  const firstConstraint = largestConstraint(today);
  const suffices = poolSuffices(input, plan, pool);
  return {
    pool,
    timesByConstraint,
    firstConstraint,
    times: timesByConstraint[firstConstraint],
    timesAtHorizon: pool.carryingDrives / atHorizon[largestConstraint(atHorizon)],
    missingDrivesAtHorizon: Math.max(0, wholeDrives(atHorizon) - pool.carryingDrives),
    placementHolds: placementHolds(input, plan, pool),
    sufficesToday: poolSuffices(input, plan, pool, todayLoad),
    suffices,
    outgrownAtMonth: outgrownAtMonth(input, plan, pool),
    outageSecondsMax: suffices ? poolCapacityBytes(input, pool) / plan.load.peakBytesPerSecond : null,
    driveWritesPerDay: driveWritesPerDay(input, plan.load, pool.drives * pool.drive.capacityBytes),
  };
}
