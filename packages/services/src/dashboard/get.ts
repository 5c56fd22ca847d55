import type { DashboardDetail } from "@stashlight/contracts/dashboard";
import { dashboardPanelColumns } from "@stashlight/db/columns/dashboard";
import { requireRole, type Verb } from "../context.ts";
import { noDashboard, rowColumns, toDashboardRow, visibleTo } from "./stored-dashboard.ts";

export async function getDashboard({ ctx, input }: Verb<{ dashboardId: string }>): Promise<DashboardDetail> {
  const { userId } = requireRole(ctx, "viewer");
  const found = await ctx.platform.db.dashboard.findFirst({
    where: { id: input.dashboardId, ...visibleTo(userId) },
    select: {
      ...rowColumns,
      panels: {
        orderBy: [{ position: "asc" }, { id: "asc" }],
        select: { id: true, title: true, query: true },
      },
    },
  });
  if (found === null) throw noDashboard();
  return {
    ...toDashboardRow(found, userId),
    panels: found.panels.map(({ id, title, query }) => ({
      id,
      title,
      query: dashboardPanelColumns.query.read(query, id),
    })),
  };
}
