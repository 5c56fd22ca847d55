import type { movePanelInput } from "@stashlight/contracts/dashboard";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { dashboardTarget, lockOwnPanel } from "./stored-dashboard.ts";

/** Moves one chart before another, and keeps the current order of all others. */
export async function movePanel({
  ctx,
  input: { panelId, beforePanelId },
}: Verb<typeof movePanelInput>): Promise<void> {
  const { userId } = requireRole(ctx, "viewer");
  await ctx.platform.db.$transaction(async (tx) => {
    const panel = await lockOwnPanel(tx, panelId, userId);
    const panels = await tx.dashboardPanel.findMany({
      where: { dashboardId: panel.dashboard.id },
      orderBy: [{ position: "asc" }, { id: "asc" }],
      select: { id: true, position: true },
    });
    const others = panels.filter(({ id }) => id !== panelId);
    // If the other panel has been removed, the panel goes to the end.
    const found = others.findIndex(({ id }) => id === beforePanelId);
    const place = found === -1 ? others.length : found;
    const ordered = [...others.slice(0, place), { id: panelId, position: null }, ...others.slice(place)];
    for (const [index, { id, position }] of ordered.entries()) {
      if (position === index + 1) continue;
      await tx.dashboardPanel.update({ where: { id }, data: { position: index + 1 } });
    }
    await writeAudit(tx, ctx, {
      action: "dashboard.panel_moved",
      target: dashboardTarget(panel.dashboard),
      after: { panel: panel.title, place: place + 1 },
    });
  });
}
