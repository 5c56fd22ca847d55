import type { DashboardRow } from "@stashlight/contracts/dashboard";
import { type Context, requireRole } from "../context.ts";
import { rowColumns, toDashboardRow, visibleTo } from "./stored-dashboard.ts";

/** Limit on listed dashboards; other shared ones can still be opened by their address. */
const LISTED_COUNT_MAX = 500;

/** Lists the reader's own, then those that others share, each by name. */
export async function listDashboards({ ctx }: { ctx: Context }): Promise<DashboardRow[]> {
  const { userId } = requireRole(ctx, "viewer");
  const { db } = ctx.platform;
  const byName = { name: "asc" } as const;
  const [own, shared] = await Promise.all([
    db.dashboard.findMany({ where: { ownerId: userId }, orderBy: byName, select: rowColumns }),
    db.dashboard.findMany({
      where: { ...visibleTo(userId), NOT: { ownerId: userId } },
      orderBy: [byName, { id: "asc" }],
      take: LISTED_COUNT_MAX,
      select: rowColumns,
    }),
  ]);
  return [...own, ...shared].map((row) => toDashboardRow(row, userId));
}
