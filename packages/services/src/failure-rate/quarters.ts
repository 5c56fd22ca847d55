import type { ImportedQuarterRow } from "@stashlight/contracts/failure-rate";
import type { Database } from "@stashlight/db";
import { isoDay } from "./drive-days.ts";

/** Lists imported quarters, newest first. */
export async function listQuarters(
  db: Pick<Database, "driveStatsQuarter" | "driveStatsModel">,
): Promise<ImportedQuarterRow[]> {
  const quarters = await db.driveStatsQuarter.findMany({ orderBy: { name: "desc" } });
  const sums = await db.driveStatsModel.groupBy({
    by: ["quarterName"],
    _sum: { driveDays: true, failures: true },
    _count: true,
  });
  const sumOf = new Map(sums.map((sum) => [sum.quarterName, sum]));
  return quarters.map(({ name, source, firstDay, lastDay, dayCount, importedBy, importedAt }) => ({
    quarter: name,
    source,
    from: isoDay(firstDay),
    to: isoDay(lastDay),
    dayCount,
    modelCount: sumOf.get(name)?._count ?? 0,
    driveDays: Number(sumOf.get(name)?._sum.driveDays ?? 0),
    failures: sumOf.get(name)?._sum.failures ?? 0,
    importedBy,
    importedAt,
  }));
}
