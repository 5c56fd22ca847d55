import type { AlertSilenceRow } from "@stashlight/contracts/alert";
import { type Context, requireRole } from "../context.ts";
import { toSilenceRow } from "./rule-rows.ts";
import { notOver } from "./silences.ts";

/** Lists silences and maintenance windows that have not ended, the first to end first. */
export async function listSilences({ ctx }: { ctx: Context }): Promise<AlertSilenceRow[]> {
  requireRole(ctx, "viewer");
  const now = ctx.platform.now();
  const silences = await ctx.platform.db.alertSilence.findMany({
    where: notOver(now),
    include: { rule: { select: { name: true } } },
  });
  const rows = silences.flatMap((silence) => toSilenceRow(silence, now.getTime()) ?? []);
  return rows.sort((a, b) => a.endsAt.getTime() - b.endsAt.getTime());
}
