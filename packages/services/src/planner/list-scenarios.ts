import type { PlanScenario, ScenarioRow } from "@stashlight/contracts/planner";
import { type Context, requireRole, type Verb } from "../context.ts";
import { findScenario, toAskedPlan, toScenarioRow } from "./stored-scenario.ts";

/** Lists scenarios by name, without their inputs. */
export async function listScenarios({ ctx }: { ctx: Context }): Promise<ScenarioRow[]> {
  requireRole(ctx, "viewer");
  const scenarios = await ctx.platform.db.planScenario.findMany({
    orderBy: { name: "asc" },
    omit: { input: true, ranges: true, aroundShare: true, loadMeasuredSeconds: true, createdById: true },
  });
  return scenarios.map(toScenarioRow);
}

export async function getScenario({ ctx, input }: Verb<{ scenarioId: string }>): Promise<PlanScenario> {
  requireRole(ctx, "viewer");
  const scenario = await findScenario(ctx.platform.db, input.scenarioId);
  return { ...toScenarioRow(scenario), ...toAskedPlan(scenario) };
}
