import { StashlightError } from "@stashlight/contracts/errors";
import type { deleteScenarioInput } from "@stashlight/contracts/planner";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { lockScenario, scenarioAudit, scenarioTarget } from "./stored-scenario.ts";

/** Deletes a plan. Shared links keep showing it as it was, until they are revoked or expire. */
export async function deleteScenario({ ctx, input }: Verb<typeof deleteScenarioInput>): Promise<void> {
  requireRole(ctx, "operator");
  await ctx.platform.db.$transaction(async (tx) => {
    const scenario = await lockScenario(tx, input.scenarioId);
    if (scenario.name !== input.name.trim()) {
      throw new StashlightError("invalid_input", `Type the plan's name, ${scenario.name}, to delete it.`, {
        field: "name",
      });
    }
    await tx.planScenario.delete({ where: { id: scenario.id } });
    await writeAudit(tx, ctx, {
      action: "plan.scenario_deleted",
      target: scenarioTarget(scenario),
      before: scenarioAudit(scenario),
    });
  });
}
