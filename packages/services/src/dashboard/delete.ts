import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { dashboardTarget, lockOwnDashboard } from "./stored-dashboard.ts";

/** Deletes a dashboard with its panels; if it was the start page, the Overview replaces it. */
export async function deleteDashboard({ ctx, input }: Verb<{ dashboardId: string }>): Promise<void> {
  const { userId } = requireRole(ctx, "viewer");
  await ctx.platform.db.$transaction(async (tx) => {
    const dashboard = await lockOwnDashboard(tx, input.dashboardId, userId);
    const panelCount = await tx.dashboardPanel.count({ where: { dashboardId: dashboard.id } });
    await tx.dashboard.delete({ where: { id: dashboard.id } });
    await writeAudit(tx, ctx, {
      action: "dashboard.deleted",
      target: dashboardTarget(dashboard),
      before: { panelCount, isShared: dashboard.isShared },
    });
  });
}
