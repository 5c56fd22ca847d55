import { StashlightError } from "@stashlight/contracts/errors";
import type { simulationIdInput } from "@stashlight/contracts/planner";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { findSimulation } from "./stored-simulation.ts";

export async function deleteSimulation({ ctx, input }: Verb<typeof simulationIdInput>): Promise<void> {
  requireRole(ctx, "operator");
  await ctx.platform.db.$transaction(async (tx) => {
    const { name } = await findSimulation(tx, input.simulationId);
    const { count } = await tx.simulationRun.deleteMany({
      where: { id: input.simulationId, state: { not: "running" } },
    });
    if (count === 0) throw new StashlightError("conflict", "It is running; cancel it first.");
    await writeAudit(tx, ctx, {
      action: "simulation.deleted",
      target: { kind: "simulation", id: input.simulationId, name },
    });
  });
}
