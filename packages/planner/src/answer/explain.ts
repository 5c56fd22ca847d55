/** A plan with its reasons: what it costs, how long it lasts, what moves it, and what it would not survive. */

import { planStash, type StashPlan } from "../sizing/plan.ts";
import type { StashPlanInput } from "../sizing/types.ts";
import { costOf, type PlanCost } from "./cost.ts";
import { type CrossCheck, crossChecksOf } from "./cross-checks.ts";
import { growthOf, type PlanGrowth } from "./growth.ts";
import { type Headroom, headroomOf } from "./headroom.ts";
import { type NotSurvived, notSurvivedBy } from "./not-survived.ts";
import { poolOf } from "./pool.ts";
import { type Sensitivity, sensitivitiesOf } from "./sensitivity.ts";
import { adviceOf, sentenceOf } from "./sentence.ts";
import { type Stability, stabilityOf } from "./stability.ts";
import { type AckTail, tailOf } from "./tail.ts";

export interface StashAnswer {
  readonly plan: StashPlan;
  /** Without a full stop, so that it may go on. */
  readonly sentence: string;
  /** How fewer drives would do in the same servers; null when they would not. */
  readonly advice: string | null;
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

/** `input` must have passed `checkStashPlanInput`; `plan` is its plan, if that is at hand. */
export function explainPlan(input: StashPlanInput, plan: StashPlan = planStash(input)): StashAnswer {
  const pool = poolOf(input, plan);
  const n = input.dataShards + input.parityShards;
  return {
    plan,
    sentence: sentenceOf(input, plan),
    advice: adviceOf(input, plan),
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
