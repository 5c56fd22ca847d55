import type { SimulationRow } from "@stashlight/contracts/planner";
import { type Context, requireRole } from "../context.ts";
import { shownFields, toSimulationRow } from "./simulation-rows.ts";

/** Lists simulations, newest first. */
export async function listSimulations({ ctx }: { ctx: Context }): Promise<SimulationRow[]> {
  requireRole(ctx, "viewer");
  const simulations = await ctx.platform.db.simulationRun.findMany({
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    select: shownFields,
  });
  return simulations.map(toSimulationRow);
}
