import {
  lostObjectsCurrentMs,
  uniteLostObjects,
  type VaultLostObjects,
} from "@stashlight/contracts/lost-object";
import { roleIncludes } from "@stashlight/contracts/user";
import { lostObjectReportColumns } from "@stashlight/db/columns/lost-object-report";
import { requireRole, type Verb } from "../context.ts";

/**
 * Lists the unreadable objects of a vault, as its coordinators report them. Names of objects are private, so viewers
 * see only the number.
 */
export async function listLostObjects({ ctx, input }: Verb<{ vault: string }>): Promise<VaultLostObjects> {
  const { role } = requireRole(ctx, "viewer");
  const { db, now } = ctx.platform;
  const rows = await db.lostObjectReport.findMany({
    where: { vault: input.vault },
    orderBy: { reportedAt: "desc" },
  });
  const [newest] = rows;
  if (newest === undefined) return { reportedAt: null, isCurrent: false, total: 0, objects: [] };
  // The list of a lost coordinator must neither hide nor outlast the others' lists.
  const currentSince = now().getTime() - lostObjectsCurrentMs;
  const current = rows.filter(({ reportedAt }) => reportedAt.getTime() >= currentSince);
  const { total, objects } = uniteLostObjects(
    (current.length > 0 ? current : [newest]).map((row) => ({
      total: row.total,
      objects: lostObjectReportColumns.objects.read(row.objects, row.nodeId),
    })),
  );
  return {
    reportedAt: newest.reportedAt,
    isCurrent: current.length > 0,
    total,
    objects: roleIncludes(role, "operator") ? objects : null,
  };
}
