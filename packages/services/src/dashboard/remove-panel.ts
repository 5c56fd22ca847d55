import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { dashboardTarget, lockOwnPanel } from "./stored-dashboard.ts";

export async function removePanel({ ctx, input }: Verb<{ panelId: string }>): Promise<void> {
  const { userId } = requireRole(ctx, "viewer");
  await ctx.platform.db.$transaction(async (tx) => {
    const panel = await lockOwnPanel(tx, input.panelId, userId);
    await tx.dashboardPanel.delete({ where: { id: panel.id } });
    await writeAudit(tx, ctx, {
      action: "dashboard.panel_removed",
      target: dashboardTarget(panel.dashboard),
      before: { panel: panel.title },
    });
  });
}
