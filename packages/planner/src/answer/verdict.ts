/**
 * Answers about one pool, all from one set of inputs: whether it suffices, the multiple of the load it supports, when
 * it is outgrown, how long an outage it tolerates, its cost and the failures it would not survive. The page, the
 * command line, the export and the draws read these and judge nothing themselves, so they cannot disagree.
 *
 * Headroom is the number of drives left when `serverFailuresTolerated` servers are dead, over the number that the
 * binding constraint needs. Placement is separate: it is about servers, and no spare drive replaces a missing server.
 */

import type { StashPlanInput } from "../sizing/plan-types.ts";
import type { StashPlan } from "../sizing/required-drives.ts";
import { type PlanCost, poolCost } from "./cost.ts";
import { judgeNetwork, type NetworkVerdict } from "./network.ts";
import { type NotSurvived, notSurvivedBy } from "./not-survived.ts";
import type { Pool } from "./pool.ts";
import { type PoolFigures, poolFigures } from "./pool-figures.ts";
import { podStability, type Stability } from "./stability.ts";
import { describeVerdict, verdictTitle } from "./verdict-sentence.ts";

export interface PoolVerdict extends PoolFigures {
  readonly title: string;
  readonly sentence: string;
  /** Includes the ports of coordinators and pods, which no stash can relieve. */
  readonly network: NetworkVerdict;
  readonly cost: PlanCost;
  readonly notSurvived: NotSurvived;
  /** Null if the flush rate of pods is unknown. */
  readonly stability: Stability | null;
}

export function judgePool(input: StashPlanInput, plan: StashPlan, pool: Pool): PoolVerdict {
  const figures = poolFigures(input, plan, pool);
  return {
    ...figures,
    title: verdictTitle(figures),
    sentence: describeVerdict(input, plan, figures),
    network: judgeNetwork(input, plan, pool),
    cost: poolCost(input, plan, pool),
    notSurvived: notSurvivedBy(input, plan, figures),
    stability: podStability(input, plan, pool),
  };
}
