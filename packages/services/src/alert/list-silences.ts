import type { AlertSilenceRow } from "@stashlight/contracts/alert";
import { type Context, requireRole } from "../context.ts";
import { toSilenceRow } from "./rows.ts";

/** Silences that have not ended, the first to end first. */
export async function listSilences({ ctx }: { ctx: Context }): Promise<AlertSilenceRow[]> {
  requireRole(ctx, "viewer");
  const silences = await ctx.platform.db.alertSilence.findMany({
    where: { endsAt: { gt: ctx.platform.now() } },
    orderBy: { endsAt: "asc" },
    include: { rule: { select: { name: true } } },
  });
  return silences.map(toSilenceRow);
}
