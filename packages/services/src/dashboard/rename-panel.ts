import type { renamePanelInput } from "@stashlight/contracts/dashboard";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { dashboardTarget, lockOwnPanel } from "./stored-dashboard.ts";

export async function renamePanel({
  ctx,
  input: { panelId, title },
}: Verb<typeof renamePanelInput>): Promise<void> {
  const { userId } = requireRole(ctx, "viewer");
  await ctx.platform.db.$transaction(async (tx) => {
    const panel = await lockOwnPanel(tx, panelId, userId);
    await tx.dashboardPanel.update({ where: { id: panel.id }, data: { title } });
    await writeAudit(tx, ctx, {
      action: "dashboard.panel_renamed",
      target: dashboardTarget(panel.dashboard),
      before: { panel: panel.title },
      after: { panel: title },
    });
  });
}
