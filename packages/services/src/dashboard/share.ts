import type { shareDashboardInput } from "@stashlight/contracts/dashboard";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { dashboardTarget, lockOwnDashboard } from "./stored-dashboard.ts";

/** Shares a dashboard with every signed-in user, or makes it private again. */
export async function shareDashboard({
  ctx,
  input: { dashboardId, isShared },
}: Verb<typeof shareDashboardInput>): Promise<void> {
  const { userId } = requireRole(ctx, "viewer");
  await ctx.platform.db.$transaction(async (tx) => {
    const dashboard = await lockOwnDashboard(tx, dashboardId, userId);
    if (dashboard.isShared === isShared) return;
    await tx.dashboard.update({ where: { id: dashboard.id }, data: { isShared } });
    await writeAudit(tx, ctx, {
      action: isShared ? "dashboard.shared" : "dashboard.unshared",
      target: dashboardTarget(dashboard),
    });
  });
}
