/** A plan with its reasons: what it costs, how long it lasts, what moves it, and what it would not survive. */

import { cheapestInput } from "../sizing/cheapest.ts";
import { planStash, type StashPlan } from "../sizing/plan.ts";
import type { StashPlanInput } from "../sizing/types.ts";
import { costOf, type PlanCost } from "./cost.ts";
import { type CrossCheck, crossChecksOf } from "./cross-checks.ts";
import { growthOf, type PlanGrowth } from "./growth.ts";
import { type Headroom, headroomOf } from "./headroom.ts";
import { type NotSurvived, notSurvivedBy } from "./not-survived.ts";
import { poolOf } from "./pool.ts";
import { type PoolOption, poolOption, poolOptionsOf } from "./pools.ts";
import { type Sensitivity, sensitivitiesOf } from "./sensitivity.ts";
import { adviceOf, sentenceOf } from "./sentence.ts";
import { type Stability, stabilityOf } from "./stability.ts";
import { type AckTail, tailOf } from "./tail.ts";

export interface StashAnswer {
  /** The input with the drives of a server that make the pool cheapest: the rest of the answer is about it. */
  readonly input: StashPlanInput;
  readonly plan: StashPlan;
  /** Without a full stop, so that it may go on. */
  readonly sentence: string;
  /** How the cheapest pool differs from servers that are filled with drives; null when it does not. */
  readonly advice: string | null;
  /** The pool of servers that are filled with as many drives as were asked for; null when it is the plan's. */
  readonly filled: PoolOption | null;
  /** Pools of fewer and of more servers. */
  readonly options: readonly PoolOption[];
  readonly cost: PlanCost;
  readonly growth: PlanGrowth;
  readonly sensitivities: readonly Sensitivity[];
  /** The headroom of the installed pool; null when nothing is installed. */
  readonly headroom: Headroom | null;
  readonly notSurvived: NotSurvived;
  readonly crossChecks: readonly CrossCheck[];
  /** Null when it is not known how fast pods flush. */
  readonly stability: Stability | null;
  readonly tail: AckTail;
}

/** `asked` must have passed `checkStashPlanInput`. */
export function explainPlan(asked: StashPlanInput): StashAnswer {
  const input = cheapestInput(asked);
  const plan = planStash(input);
  const pool = poolOf(input, plan);
  const n = input.dataShards + input.parityShards;
  const filled =
    input === asked ? null : poolOption(asked, plan, planStash(asked).servers, asked.drivesPerServer);
  return {
    input,
    plan,
    sentence: sentenceOf(input, plan),
    advice: filled === null ? null : adviceOf(input, plan, filled),
    filled,
    options: poolOptionsOf(input, plan),
    cost: costOf(input, plan),
    growth: growthOf(input, pool),
    sensitivities: sensitivitiesOf(input, plan),
    headroom: headroomOf(input, plan, pool),
    notSurvived: notSurvivedBy(input, plan, pool),
    crossChecks: crossChecksOf(input, plan),
    stability: stabilityOf(input, plan, pool),
    tail: tailOf(n - 1, n),
  };
}
