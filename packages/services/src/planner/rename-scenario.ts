import type { renameScenarioInput, ScenarioRow } from "@stashlight/contracts/planner";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { refuseTakenName } from "../taken-name.ts";
import { lockScenario, scenarioTarget, toScenarioRow } from "./stored-scenario.ts";

/** Changes only the name: a user who has the scenario open can still save changes to it. */
export async function renameScenario({ ctx, input }: Verb<typeof renameScenarioInput>): Promise<ScenarioRow> {
  requireRole(ctx, "operator");
  return ctx.platform.db.$transaction(async (tx) => {
    const before = await lockScenario(tx, input.scenarioId);
    await refuseTakenName(tx.planScenario, "A plan", input.name, before.id);
    const after = await tx.planScenario.update({ where: { id: before.id }, data: { name: input.name } });
    await writeAudit(tx, ctx, {
      action: "plan.scenario_renamed",
      target: scenarioTarget(after),
      before: { name: before.name },
      after: { name: after.name },
    });
    return toScenarioRow(after);
  });
}
