import type { createScenarioInput, ScenarioRow } from "@stashlight/contracts/planner";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { refuseTakenName } from "../taken-name.ts";
import { checkedPlan, scenarioAudit, scenarioTarget, toScenarioRow } from "./stored-scenario.ts";

/** Stores a plan under a name. */
export async function createScenario({ ctx, input }: Verb<typeof createScenarioInput>): Promise<ScenarioRow> {
  const author = requireRole(ctx, "operator");
  const checked = checkedPlan(input);
  const now = ctx.platform.now();
  return ctx.platform.db.$transaction(async (tx) => {
    await refuseTakenName(tx.planScenario, "A plan", input.name, null);
    const scenario = await tx.planScenario.create({
      data: {
        id: newId(),
        name: input.name,
        ...checked,
        createdById: author.userId,
        createdByName: author.name,
        updatedByName: author.name,
        createdAt: now,
        updatedAt: now,
      },
    });
    await writeAudit(tx, ctx, {
      action: "plan.scenario_created",
      target: scenarioTarget(scenario),
      after: scenarioAudit(scenario),
    });
    return toScenarioRow(scenario);
  });
}
