/** The figures of one pool that its verdict is made of. */

import {
  type ConstraintName,
  constraintNames,
  driveWritesPerDay,
  largestConstraint,
  loadAfter,
  type StashPlan,
  wholeDrives,
} from "../sizing/plan.ts";
import type { StashPlanInput } from "../sizing/types.ts";
import { outgrownAtMonth } from "./growth.ts";
import { type Pool, placementHolds, poolCapacityBytes, poolDrivesUnder, poolSuffices } from "./pool.ts";

export interface PoolFigures {
  readonly pool: Pool;
  /** How many times today's load fits, by constraint. */
  readonly timesByConstraint: Readonly<Record<ConstraintName, number>>;
  /** The constraint that is met first as the load grows. */
  readonly firstConstraint: ConstraintName;
  /** How many times today's load fits; below 1 it does not. */
  readonly times: number;
  /** The same of the load at the horizon of the plan. */
  readonly timesAtHorizon: number;
  readonly missingDrivesAtHorizon: number;
  readonly placementHolds: boolean;
  /** Today's load fits and placement holds. */
  readonly sufficesToday: boolean;
  /** The load at the horizon fits too. */
  readonly suffices: boolean;
  /** First month in which it no longer suffices; 0 is today, null is none of those looked at. */
  readonly outgrownAtMonth: number | null;
  /** Pods may flush nothing for so long at peak load; null when the pool does not suffice. */
  readonly outageSecondsMax: number | null;
  /** Writes of each drive, as drive writes a day. */
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
