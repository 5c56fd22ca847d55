import { type MaintenanceSpan, occurrencesIn } from "@stashlight/contracts/alert";
import { alertSilenceColumns } from "@stashlight/db/columns/alert";
import { requireRole, type Verb } from "../context.ts";
import { findVaults } from "./group-vaults.ts";
import { silenceWindow } from "./silences.ts";

/** Lists occurrences of maintenance windows that overlap a range, including past ones. */
export async function listMaintenance({
  ctx,
  input: { fromMs, toMs },
}: Verb<{ fromMs: number; toMs: number }>): Promise<MaintenanceSpan[]> {
  requireRole(ctx, "viewer");
  const { db } = ctx.platform;
  const rows = await db.alertSilence.findMany({
    where: {
      isMaintenance: true,
      startsAt: { lte: new Date(toMs) },
      OR: [{ isWeekly: true }, { endsAt: { gte: new Date(fromMs) } }],
    },
    orderBy: { startsAt: "asc" },
  });
  const windows = rows.map((row) => ({ row, labels: alertSilenceColumns.labels.read(row.labels, row.id) }));
  const vaultOf = await findVaults(
    db,
    windows.flatMap(({ labels }) => (labels.node ?? []).map((node) => ({ node }))),
  );
  return windows.flatMap(({ row, labels }) => {
    const ofNodes = labels.node?.map((node) => vaultOf({ node }));
    const vaults = labels.vault ?? (ofNodes === undefined ? null : [...new Set(ofNodes)]);
    return occurrencesIn(silenceWindow(row), { startMs: fromMs, endMs: toMs }).map((occurrence) => ({
      ...occurrence,
      reason: row.reason,
      vaults,
    }));
  });
}
