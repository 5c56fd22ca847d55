import { type BenchmarkMethodChoice, StashlightError } from "@stashlight/contracts";
import type { Platform } from "../platform.ts";

export interface PlanOfResults {
  id: string;
  name: string;
  scheduleId: string;
  method: BenchmarkMethodChoice;
}

export async function findPlanOfResults(db: Platform["db"], planId: string): Promise<PlanOfResults> {
  const plan = await db.benchmarkPlan.findUnique({
    where: { id: planId },
    select: { id: true, name: true, scheduleId: true, method: true },
  });
  if (plan === null) throw new StashlightError("not_found", "There is no such plan.");
  return { ...plan, method: plan.method as unknown as BenchmarkMethodChoice };
}

/** What a reader is told of an endpoint that has no run in the period. */
export async function endpointNameOf(db: Platform["db"], endpointId: string): Promise<string> {
  const endpoint = await db.endpoint.findUnique({ where: { id: endpointId }, select: { name: true } });
  if (endpoint === null) throw new StashlightError("not_found", "There is no such endpoint.");
  return endpoint.name;
}
