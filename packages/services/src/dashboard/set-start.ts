import type { setStartDashboardInput } from "@stashlight/contracts/dashboard";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { lockOwnDashboard } from "./stored-dashboard.ts";

/** Makes one of the reader's own dashboards their start page, or the Overview again. */
export async function setStartDashboard({
  ctx,
  input: { dashboardId },
}: Verb<typeof setStartDashboardInput>): Promise<void> {
  const { userId, name } = requireRole(ctx, "viewer");
  await ctx.platform.db.$transaction(async (tx) => {
    const dashboard = dashboardId === null ? null : await lockOwnDashboard(tx, dashboardId, userId);
    await tx.user.update({ where: { id: userId }, data: { startDashboardId: dashboard?.id ?? null } });
    await writeAudit(tx, ctx, {
      action: "dashboard.start_set",
      target: { kind: "user", id: userId, name },
      after: { startPage: dashboard?.name ?? "Overview" },
    });
  });
}
