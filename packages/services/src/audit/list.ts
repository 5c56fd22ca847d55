import type { AuditRow, listAuditInput } from "@stashlight/contracts/audit";
import { requireRole, type Verb } from "../context.ts";
import { auditWhere, toAuditRow } from "./query.ts";

/** Returns a page of events, newest first; `nextBeforeSequence` requests the next page, and is null at the end. */
export async function listAudit({
  ctx,
  input,
}: Verb<typeof listAuditInput>): Promise<{ rows: AuditRow[]; nextBeforeSequence: number | null }> {
  requireRole(ctx, "admin");
  const events = await ctx.platform.db.auditEvent.findMany({
    where: auditWhere(input, input.beforeSequence),
    orderBy: { sequence: "desc" },
    take: input.pageSize + 1,
  });
  const rows = events.slice(0, input.pageSize).map(toAuditRow);
  return { rows, nextBeforeSequence: events.length > rows.length ? (rows.at(-1)?.sequence ?? null) : null };
}
