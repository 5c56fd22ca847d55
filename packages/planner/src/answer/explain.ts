/** Explains a plan: its reasons, and the verdicts on the pool to buy and on the installed pool. */

import { cheapestInput } from "../sizing/cheapest.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";
import { planStash, type StashPlan } from "../sizing/required-drives.ts";
import { type AckTail, ackTail } from "./ack-tail.ts";
import { answerAvailability, type UploadAvailability } from "./availability.ts";
import { type CrossCheck, crossCheckPlan } from "./cross-checks.ts";
import { type DirectUploads, describeDirect } from "./direct.ts";
import { answerDurability } from "./durability/plan-durability.ts";
import type { DurabilityAnswer } from "./durability/types.ts";
import { type GrowthPoint, growthPoints } from "./growth.ts";
import { coordinatorCount } from "./network.ts";
import { installedPool, plannedPool } from "./pool.ts";
import { listPoolOptions, type PoolOption, poolOption } from "./pools.ts";
import { planSensitivities, type Sensitivity } from "./sensitivity.ts";
import { describeAdvice, describePlan } from "./sentence.ts";
import { judgePool, type PoolVerdict } from "./verdict.ts";

export interface StashAnswer {
  /** Input with the cheapest number of drives per server; the rest of the answer is based on it. */
  readonly input: StashPlanInput;
  readonly plan: StashPlan;
  /** Headline without a full stop, so that it may be continued. */
  readonly sentence: string;
  /** Uploads that bypass the stash; null if there are none. */
  readonly direct: DirectUploads | null;
  /** Difference between the cheapest pool and one whose servers are filled with drives; null if there is none. */
  readonly advice: string | null;
  /** Pool of servers with the requested number of drives each; null if it is the plan's. */
  readonly filled: PoolOption | null;
  /** Pools of fewer and of more servers. */
  readonly options: readonly PoolOption[];
  /** Verdict on the pool of the plan, which is to be bought. */
  readonly planned: PoolVerdict;
  /** Verdict on the installed pool; null if nothing is installed. */
  readonly installed: PoolVerdict | null;
  /** Load month by month. */
  readonly growth: readonly GrowthPoint[];
  readonly sensitivities: readonly Sensitivity[];
  readonly crossChecks: readonly CrossCheck[];
  readonly tail: AckTail;
  readonly durability: DurabilityAnswer;
  readonly availability: UploadAvailability;
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
    sentence: describePlan(input, plan, planned.network),
    direct: describeDirect(input),
    advice: filled === null ? null : describeAdvice(input, plan, filled),
    filled,
    options: listPoolOptions(input, plan),
    planned,
    installed: installed && judgePool(input, plan, installed),
    growth: growthPoints(input),
    sensitivities: planSensitivities(input, plan),
    crossChecks: crossCheckPlan(input, plan),
    tail: ackTail(n - 1, n),
    durability: answerDurability(input),
    availability: answerAvailability(input, coordinatorCount(planned.network)),
  };
}
