import type { Transaction } from "@stashlight/db";
import { type AuditEntry, writeAudit } from "../audit/write.ts";
import type { Context } from "../context.ts";

interface Pausing extends Pick<AuditEntry, "action" | "target"> {
  /** The schedule's row, which the transaction has locked. */
  readonly schedule: { readonly id: string; readonly pausedAt: Date | null };
  readonly isPaused: boolean;
}

/**
 * A paused schedule plans nothing; a running job continues. A resumed one plans from now on, and does not make up for
 * the pause.
 */
export async function setPaused(
  tx: Transaction,
  ctx: Context,
  { schedule, isPaused, ...event }: Pausing,
): Promise<void> {
  if ((schedule.pausedAt !== null) === isPaused) return;
  const now = ctx.platform.now();
  await tx.schedule.update({
    where: { id: schedule.id },
    data: isPaused ? { pausedAt: now } : { pausedAt: null, plannedUntil: now },
  });
  await writeAudit(tx, ctx, { ...event, before: { paused: !isPaused }, after: { paused: isPaused } });
}
