/**
 * One pool's answers, all from one set of inputs: whether it suffices, how many times the load it carries, when it is
 * outgrown, how long an outage it takes, what it costs and what it would not survive. The page, the command line, the
 * export and the draws read them here and judge nothing themselves, so they cannot disagree.
 *
 * Headroom is the drives that are left with `serverFailuresTolerated` servers dead, over the drives that the binding
 * constraint needs of them. Placement is apart: it is about servers, and no spare drive makes up for a missing one.
 */

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
import { type PlanCost, poolCost } from "./cost.ts";
import { outgrownAtMonth } from "./growth.ts";
import { type NotSurvived, notSurvivedBy } from "./not-survived.ts";
import { type Pool, placementHolds, poolCapacityBytes, poolDrivesUnder, poolSuffices } from "./pool.ts";
import { type Stability, stabilityOf } from "./stability.ts";
import { describeVerdict, verdictTitle } from "./verdict-sentence.ts";

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

export interface PoolVerdict extends PoolFigures {
  readonly title: string;
  readonly sentence: string;
  readonly cost: PlanCost;
  readonly notSurvived: NotSurvived;
  /** Null when it is not known how fast pods flush. */
  readonly stability: Stability | null;
}

export function judgePool(input: StashPlanInput, plan: StashPlan, pool: Pool): PoolVerdict {
  const figures = poolFigures(input, plan, pool);
  return {
    ...figures,
    title: verdictTitle(figures),
    sentence: describeVerdict(input, plan, figures),
    cost: poolCost(input, plan, pool),
    notSurvived: notSurvivedBy(input, plan, figures),
    stability: stabilityOf(input, plan, pool),
  };
}

function poolFigures(input: StashPlanInput, plan: StashPlan, pool: Pool): PoolFigures {
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
