import type { BenchmarkMethodChoice } from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import { planMethod } from "../benchmark/stored-plan.ts";
import type { Core } from "../core.ts";

export interface PlanOfResults {
  id: string;
  name: string;
  scheduleId: string;
  method: BenchmarkMethodChoice;
}

export async function findPlanOfResults(db: Core["db"], planId: string): Promise<PlanOfResults> {
  const plan = await db.benchmarkPlan.findUnique({
    where: { id: planId },
    select: { id: true, name: true, scheduleId: true, method: true },
  });
  if (plan === null) throw new StashlightError("not_found", "There is no such benchmark schedule.");
  return { ...plan, method: planMethod(plan) };
}

/** Name for the message about an endpoint without runs in the period. */
export async function readEndpointName(db: Core["db"], endpointId: string): Promise<string> {
  const endpoint = await db.endpoint.findUnique({ where: { id: endpointId }, select: { name: true } });
  if (endpoint === null) throw new StashlightError("not_found", "There is no such endpoint.");
  return endpoint.name;
}
