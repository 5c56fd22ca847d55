import type { BenchmarkWatchRow, setBenchmarkWatchInput } from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Prisma } from "@stashlight/db";
import { benchmarkWatchColumns } from "@stashlight/db/columns/benchmark-result";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";

type StoredWatch = Prisma.BenchmarkWatchGetPayload<object>;

/** Watches of a plan. */
export async function listBenchmarkWatches({
  ctx,
  input,
}: Verb<{ planId: string }>): Promise<BenchmarkWatchRow[]> {
  requireRole(ctx, "viewer");
  const watches = await ctx.platform.db.benchmarkWatch.findMany({
    where: { planId: input.planId },
    orderBy: [{ operation: "asc" }, { sizeBytes: "asc" }, { connectionCount: "asc" }],
  });
  return watches.map(toRow);
}

const toRow = (watch: StoredWatch): BenchmarkWatchRow => ({
  id: watch.id,
  operation: benchmarkWatchColumns.operation.read(watch.operation, watch.id),
  sizeBytes: Number(watch.sizeBytes),
  connectionCount: watch.connectionCount,
  regression: benchmarkWatchColumns.regression.read(watch.regression, watch.id),
  severity: benchmarkWatchColumns.severity.read(watch.severity, watch.id),
  judgedSlotAt: watch.judgedSlotAt,
  firingEndpointIds: Object.keys(benchmarkWatchColumns.firing.read(watch.firing, watch.id)),
});

/** A plan has one watch per operation, size and number of connections; setting it again replaces it. */
export async function setBenchmarkWatch({
  ctx,
  input,
}: Verb<typeof setBenchmarkWatchInput>): Promise<{ watchId: string }> {
  requireRole(ctx, "operator");
  const { planId, operation, connectionCount, regression, severity } = input;
  const sizeBytes = BigInt(input.sizeBytes);
  const now = ctx.platform.now();
  return ctx.platform.db.$transaction(async (tx) => {
    const plan = await tx.benchmarkPlan.findUnique({ where: { id: planId }, select: { name: true } });
    if (plan === null) throw new StashlightError("not_found", "There is no such benchmark schedule.");
    const terms = {
      regression: benchmarkWatchColumns.regression.write(regression),
      severity,
      updatedAt: now,
    };
    const { id } = await tx.benchmarkWatch.upsert({
      where: {
        planId_operation_sizeBytes_connectionCount: { planId, operation, sizeBytes, connectionCount },
      },
      create: { id: newId(), planId, operation, sizeBytes, connectionCount, createdAt: now, ...terms },
      // A subject that no longer fires under the new rule is reported at the next check, which is due at once.
      update: { ...terms, judgedSlotAt: null },
      select: { id: true },
    });
    await writeAudit(tx, ctx, {
      action: "benchmark.watch_set",
      target: { kind: "benchmark plan", id: planId, name: plan.name },
      after: { operation, sizeBytes: input.sizeBytes, connectionCount, regression, severity },
    });
    return { watchId: id };
  });
}

export async function removeBenchmarkWatch({ ctx, input }: Verb<{ watchId: string }>): Promise<void> {
  requireRole(ctx, "operator");
  await ctx.platform.db.$transaction(async (tx) => {
    const watch = await tx.benchmarkWatch.findUnique({ where: { id: input.watchId } });
    if (watch === null) throw new StashlightError("not_found", "There is no such watch.");
    const plan = await tx.benchmarkPlan.findUniqueOrThrow({
      where: { id: watch.planId },
      select: { name: true },
    });
    await tx.benchmarkWatch.delete({ where: { id: watch.id } });
    await writeAudit(tx, ctx, {
      action: "benchmark.watch_removed",
      target: { kind: "benchmark plan", id: watch.planId, name: plan.name },
      before: { operation: watch.operation, sizeBytes: Number(watch.sizeBytes) },
    });
  });
}
