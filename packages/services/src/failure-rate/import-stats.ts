import { StashlightError } from "@stashlight/contracts/errors";
import type { DriveStatsImport, ImportedQuarterRow } from "@stashlight/contracts/failure-rate";
import type { Transaction } from "@stashlight/db";
import { driveModelKey } from "@stashlight/devices/failures";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { listQuarters } from "./quarters.ts";

/** Enough for the quarters of twenty years on a busy machine. */
const TRANSACTION_MS = 60_000;

/**
 * Stores drive days and failures of quarters. A quarter imported before is replaced, so nothing counts twice; a
 * replacement with fewer days is refused, because its files are then incomplete.
 */
export async function importDriveStats({
  ctx,
  input,
}: Verb<DriveStatsImport>): Promise<{ quarters: ImportedQuarterRow[] }> {
  const { name } = requireRole(ctx, "operator");
  const { db, now } = ctx.platform;
  const names = input.quarters.map(({ quarter }) => quarter);
  if (new Set(names).size < names.length) {
    throw new StashlightError("invalid_input", "The files contain a quarter twice.", { field: "quarters" });
  }
  await db.$transaction(
    async (tx) => {
      for (const quarter of input.quarters) {
        await storeQuarter(tx, quarter, { source: input.source, importedBy: name, importedAt: now() });
      }
      await writeAudit(tx, ctx, {
        action: "drive_stats.imported",
        target: { kind: "drive-stats", id: names.join(" "), name: input.source },
        after: { quarters: names },
      });
    },
    { timeout: TRANSACTION_MS },
  );
  const stored = await listQuarters(db);
  return { quarters: stored.filter(({ quarter }) => names.includes(quarter)) };
}

async function storeQuarter(
  tx: Transaction,
  { quarter: name, from, to, dayCount, models }: DriveStatsImport["quarters"][number],
  by: { source: string; importedBy: string; importedAt: Date },
): Promise<void> {
  const earlier = await tx.driveStatsQuarter.findUnique({ where: { name } });
  if (earlier !== null && earlier.dayCount > dayCount) {
    throw new StashlightError(
      "conflict",
      `${name} is stored with ${earlier.dayCount} days, and these files have ${dayCount} of them. Import all files of the quarter at once.`,
      { field: "quarters" },
    );
  }
  await tx.driveStatsQuarter.deleteMany({ where: { name } });
  await tx.driveStatsQuarter.create({
    data: { name, firstDay: new Date(from), lastDay: new Date(to), dayCount, ...by },
  });
  // Different spellings of a model share one row.
  const sums = new Map<string, { model: string; driveDays: number; failures: number }>();
  for (const { model, driveDays, failures } of models) {
    const key = driveModelKey(model);
    const sum = sums.get(key) ?? { model, driveDays: 0, failures: 0 };
    sums.set(key, {
      ...sum,
      driveDays: sum.driveDays + driveDays,
      failures: sum.failures + failures,
    });
  }
  await tx.driveStatsModel.createMany({
    data: [...sums].map(([modelKey, { model, driveDays, failures }]) => ({
      quarterName: name,
      modelKey,
      model,
      driveDays: BigInt(driveDays),
      failures,
    })),
  });
}
