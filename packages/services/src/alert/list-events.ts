import type { AlertEventRow, listAlertEventsInput } from "@stashlight/contracts/alert/event";
import type { z } from "zod";
import { requireRole, type Verb } from "../context.ts";
import { findVaults } from "./places.ts";
import { toEventRow } from "./rows.ts";

/** What began to fire, was acknowledged and was resolved in a range, newest first; reminders are left out. */
export async function listAlertEvents({
  ctx,
  input,
}: Verb<z.output<typeof listAlertEventsInput>>): Promise<AlertEventRow[]> {
  requireRole(ctx, "viewer");
  const { fromMs, toMs, ruleId, pageSize } = input;
  const events = await ctx.platform.db.alertEvent.findMany({
    where: {
      occurredAt: { gte: new Date(fromMs), lte: new Date(toMs) },
      kind: { not: "reminder" },
      ...(ruleId === undefined ? {} : { ruleId }),
    },
    orderBy: [{ occurredAt: "desc" }, { kind: "desc" }, { id: "asc" }],
    take: pageSize,
    include: { deliveries: { select: { state: true } } },
  });
  const rows = events.map(toEventRow);
  const vaultOf = await findVaults(
    ctx.platform.db,
    rows.map(({ labels }) => labels),
  );
  return rows.map((row) => ({ ...row, vault: vaultOf(row.labels) }));
}
