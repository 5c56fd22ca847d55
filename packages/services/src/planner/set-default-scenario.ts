import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { lockScenario, scenarioTarget } from "./stored-scenario.ts";

/**
 * Makes a plan the default: the overview takes from it the values that the fleet cannot measure, such as prices and
 * growth.
 */
export async function setDefaultScenario({ ctx, input }: Verb<{ scenarioId: string }>): Promise<void> {
  requireRole(ctx, "operator");
  await ctx.platform.db.$transaction(async (tx) => {
    const scenario = await lockScenario(tx, input.scenarioId);
    if (scenario.isDefault) return;
    const before = await tx.planScenario.findFirst({ where: { isDefault: true }, select: { name: true } });
    await tx.planScenario.updateMany({ where: { isDefault: true }, data: { isDefault: false } });
    await tx.planScenario.update({ where: { id: scenario.id }, data: { isDefault: true } });
    await writeAudit(tx, ctx, {
      action: "plan.default_set",
      target: scenarioTarget(scenario),
      ...(before === null ? {} : { before: { name: before.name } }),
      after: { name: scenario.name },
    });
  });
}
