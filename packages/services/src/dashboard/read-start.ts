import { type Context, requireRole } from "../context.ts";

/** Returns the dashboard to which the reader's "/" leads; null for the Overview. */
export async function readStartDashboardId({ ctx }: { ctx: Context }): Promise<string | null> {
  const { userId } = requireRole(ctx, "viewer");
  const { startDashboardId } = await ctx.platform.db.user.findUniqueOrThrow({
    where: { id: userId },
    select: { startDashboardId: true },
  });
  return startDashboardId;
}
