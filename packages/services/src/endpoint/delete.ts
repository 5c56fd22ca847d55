import type { deleteEndpointInput } from "@stashlight/contracts/endpoint";
import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { endpointAudit, lockEndpoint, refuseBuiltIn } from "./stored-endpoint.ts";

/** Deletes an endpoint; its measurements stay, under its name. */
export async function deleteEndpoint({ ctx, input }: Verb<typeof deleteEndpointInput>): Promise<void> {
  requireRole(ctx, "admin");
  await ctx.platform.db.$transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, input.endpointId);
    refuseBuiltIn(endpoint);
    if (endpoint.name !== input.name) {
      throw new StashlightError(
        "invalid_input",
        `Type the endpoint's name, ${endpoint.name}, to delete it.`,
        {
          field: "name",
        },
      );
    }
    const plans = await tx.benchmarkPlan.findMany({
      where: { endpoints: { some: { endpointId: endpoint.id } } },
      orderBy: { name: "asc" },
      select: { name: true },
    });
    if (plans.length > 0) {
      const names = plans.map(({ name }) => `"${name}"`).join(", ");
      throw new StashlightError(
        "conflict",
        `"${endpoint.name}" is measured by ${names}; remove it there or delete the schedule first.`,
      );
    }
    await tx.endpoint.delete({ where: { id: endpoint.id } });
    await writeAudit(tx, ctx, {
      action: "endpoint.deleted",
      target: { kind: "endpoint", id: endpoint.id, name: endpoint.name },
      before: endpointAudit(endpoint),
    });
  });
}
