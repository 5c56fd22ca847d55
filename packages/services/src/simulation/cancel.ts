import { StashlightError } from "@stashlight/contracts/errors";
import type { simulationIdInput } from "@stashlight/contracts/planner";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { findSimulation } from "./stored-simulation.ts";

/** Cancels a simulation: a queued one ends at once, and the worker ends a running one within a second. */
export async function cancelSimulation({ ctx, input }: Verb<typeof simulationIdInput>): Promise<void> {
  const { name } = requireRole(ctx, "operator");
  await ctx.platform.db.$transaction(async (tx) => {
    const simulation = await findSimulation(tx, input.simulationId);
    const now = ctx.platform.now();
    const request = { cancelRequestedAt: now, cancelRequestedByName: name };
    const where = { id: input.simulationId, cancelRequestedAt: null };
    const outcome = `Cancelled by ${name} before it began.`;
    const ended = await tx.simulationRun.updateMany({
      where: { ...where, state: "queued" },
      data: { ...request, state: "cancelled", outcome, finishedAt: now },
    });
    const asked = await tx.simulationRun.updateMany({ where: { ...where, state: "running" }, data: request });
    if (ended.count + asked.count === 0) {
      throw new StashlightError("conflict", "The simulation has already ended or been cancelled.");
    }
    await writeAudit(tx, ctx, {
      action: "simulation.cancelled",
      target: { kind: "simulation", id: input.simulationId, name: simulation.name },
    });
  });
}
