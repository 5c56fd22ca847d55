import type { renameDashboardInput } from "@stashlight/contracts/dashboard";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { dashboardTarget, lockOwnDashboard, refuseTakenName } from "./stored-dashboard.ts";

export async function renameDashboard({
  ctx,
  input: { dashboardId, name },
}: Verb<typeof renameDashboardInput>): Promise<void> {
  const { userId } = requireRole(ctx, "viewer");
  await ctx.platform.db.$transaction(async (tx) => {
    const before = await lockOwnDashboard(tx, dashboardId, userId);
    await refuseTakenName(tx, userId, name, before.id);
    await tx.dashboard.update({ where: { id: before.id }, data: { name } });
    await writeAudit(tx, ctx, {
      action: "dashboard.renamed",
      target: dashboardTarget({ id: before.id, name }),
      before: { name: before.name },
      after: { name },
    });
  });
}
