import { StashlightError } from "@stashlight/contracts/errors";
import type { ScenarioRow, updateScenarioInput } from "@stashlight/contracts/planner";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import {
  checkedPlan,
  lockScenario,
  scenarioAudit,
  scenarioTarget,
  toScenarioRow,
} from "./stored-scenario.ts";

/** Refuses a change of a replaced version, and names the person who saved the newer one. */
export async function updateScenario({ ctx, input }: Verb<typeof updateScenarioInput>): Promise<ScenarioRow> {
  const author = requireRole(ctx, "operator");
  const checked = checkedPlan(input);
  return ctx.platform.db.$transaction(async (tx) => {
    const before = await lockScenario(tx, input.scenarioId);
    if (before.updatedAt.getTime() !== input.updatedAtMs) {
      throw new StashlightError(
        "conflict",
        `${before.updatedByName} saved "${before.name}" after you opened it. Open it again, or save yours under another name.`,
      );
    }
    // Otherwise two saves within one millisecond would count as the same version.
    const updatedAt = new Date(Math.max(ctx.platform.now().getTime(), before.updatedAt.getTime() + 1));
    const after = await tx.planScenario.update({
      where: { id: before.id },
      data: { ...checked, updatedAt, updatedByName: author.name },
    });
    await writeAudit(tx, ctx, {
      action: "plan.scenario_changed",
      target: scenarioTarget(after),
      before: scenarioAudit(before),
      after: scenarioAudit(after),
    });
    return toScenarioRow(after);
  });
}
