/** A plan with its reasons, and the verdicts on the pool it would buy and on the pool that is there. */

import { cheapestInput } from "../sizing/cheapest.ts";
import { planStash, type StashPlan } from "../sizing/plan.ts";
import type { StashPlanInput } from "../sizing/types.ts";
import { type CrossCheck, crossChecksOf } from "./cross-checks.ts";
import { type DirectUploads, describeDirect } from "./direct.ts";
import { answerDurability } from "./durability/answer.ts";
import type { DurabilityAnswer } from "./durability/types.ts";
import { type GrowthPoint, growthPoints } from "./growth.ts";
import { installedPool, plannedPool } from "./pool.ts";
import { type PoolOption, poolOption, poolOptionsOf } from "./pools.ts";
import { type Sensitivity, sensitivitiesOf } from "./sensitivity.ts";
import { adviceOf, sentenceOf } from "./sentence.ts";
import { type AckTail, tailOf } from "./tail.ts";
import { judgePool, type PoolVerdict } from "./verdict.ts";

export interface StashAnswer {
  /** The input with the drives of a server that make the pool cheapest: the rest of the answer is about it. */
  readonly input: StashPlanInput;
  readonly plan: StashPlan;
  /** Without a full stop, so that it may go on. */
  readonly sentence: string;
  /** The uploads that need no stash; null where there are none. */
  readonly direct: DirectUploads | null;
  /** How the cheapest pool differs from servers that are filled with drives; null when it does not. */
  readonly advice: string | null;
  /** The pool of servers that are filled with as many drives as were asked for; null when it is the plan's. */
  readonly filled: PoolOption | null;
  /** Pools of fewer and of more servers. */
  readonly options: readonly PoolOption[];
  /** The pool of the plan: what would be bought. */
  readonly planned: PoolVerdict;
  /** The same questions asked of what is there; null when nothing is installed. */
  readonly installed: PoolVerdict | null;
  /** The load month by month. */
  readonly growth: readonly GrowthPoint[];
  readonly sensitivities: readonly Sensitivity[];
  readonly crossChecks: readonly CrossCheck[];
  readonly tail: AckTail;
  readonly durability: DurabilityAnswer;
}

/** `asked` must have passed `checkStashPlanInput`. */
export function explainPlan(asked: StashPlanInput): StashAnswer {
  const input = cheapestInput(asked);
  const plan = planStash(input);
  const installed = installedPool(input);
  const planned = judgePool(input, plan, plannedPool(input, plan.servers));
  const n = input.dataShards + input.parityShards;
  const filled =
    input === asked ? null : poolOption(asked, plan, planStash(asked).servers, asked.drivesPerServer);
  return {
    input,
    plan,
    sentence: sentenceOf(input, plan, planned.network),
    direct: describeDirect(input),
    advice: filled === null ? null : adviceOf(input, plan, filled),
    filled,
    options: poolOptionsOf(input, plan),
    planned,
    installed: installed && judgePool(input, plan, installed),
    growth: growthPoints(input),
    sensitivities: sensitivitiesOf(input, plan),
    crossChecks: crossChecksOf(input, plan),
    tail: tailOf(n - 1, n),
    durability: answerDurability(input),
  };
}
