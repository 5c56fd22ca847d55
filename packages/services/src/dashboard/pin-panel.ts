import type { pinPanelInput } from "@stashlight/contracts/dashboard";
import { StashlightError } from "@stashlight/contracts/errors";
import { readPanel } from "@stashlight/contracts/metrics";
import { dashboardPanelColumns } from "@stashlight/db/columns/dashboard";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { dashboardTarget, lockOwnDashboard, PANELS_PER_DASHBOARD_MAX } from "./stored-dashboard.ts";

/** Adds a chart at the end, after any that other tabs have added since. */
export async function pinPanel({
  ctx,
  input: { dashboardId, title, query },
}: Verb<typeof pinPanelInput>): Promise<{ panelId: string }> {
  const { userId } = requireRole(ctx, "viewer");
  const read = readPanel(query);
  if ("problem" in read) throw new StashlightError("invalid_input", read.problem, { field: "query" });
  const panelId = newId();
  await ctx.platform.db.$transaction(async (tx) => {
    const dashboard = await lockOwnDashboard(tx, dashboardId, userId);
    const { _count: count, _max: last } = await tx.dashboardPanel.aggregate({
      where: { dashboardId: dashboard.id },
      _count: true,
      _max: { position: true },
    });
    if (count >= PANELS_PER_DASHBOARD_MAX) {
      throw new StashlightError(
        "precondition_failed",
        `“${dashboard.name}” has ${count} charts, the most that a dashboard may have; remove one, or pin this to another.`,
      );
    }
    await tx.dashboardPanel.create({
      data: {
        id: panelId,
        dashboardId: dashboard.id,
        title,
        position: (last.position ?? 0) + 1,
        query: dashboardPanelColumns.query.write(query),
        createdAt: ctx.platform.now(),
      },
    });
    await writeAudit(tx, ctx, {
      action: "dashboard.panel_pinned",
      target: dashboardTarget(dashboard),
      after: { panel: title, metric: query.metric },
    });
  });
  return { panelId };
}
