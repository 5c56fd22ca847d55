import type { createDashboardInput } from "@stashlight/contracts/dashboard";
import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { DASHBOARDS_PER_USER_MAX, dashboardTarget, refuseTakenName } from "./stored-dashboard.ts";

/** Creates an empty dashboard of the reader. */
export async function createDashboard({
  ctx,
  input: { name },
}: Verb<typeof createDashboardInput>): Promise<{ dashboardId: string }> {
  const { userId } = requireRole(ctx, "viewer");
  const dashboardId = newId();
  await ctx.platform.db.$transaction(async (tx) => {
    // Serialises tabs that create one at the same time, so that the limit holds.
    await tx.$queryRaw`SELECT id FROM user_account WHERE id = ${userId} FOR UPDATE`;
    await refuseTakenName(tx, userId, name, null);
    const count = await tx.dashboard.count({ where: { ownerId: userId } });
    if (count >= DASHBOARDS_PER_USER_MAX) {
      throw new StashlightError(
        "precondition_failed",
        `You have ${count} dashboards, the most that one person may have; delete one first.`,
      );
    }
    await tx.dashboard.create({
      data: { id: dashboardId, ownerId: userId, name, createdAt: ctx.platform.now() },
    });
    await writeAudit(tx, ctx, {
      action: "dashboard.created",
      target: dashboardTarget({ id: dashboardId, name }),
    });
  });
  return { dashboardId };
}
