import type { BenchmarkRunRow } from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { toRunRow } from "../benchmark/plan-rows.ts";
import { type Context, requireRole, type Verb } from "../context.ts";

const shownMax = 200;

/** Lists imported runs, newest first. */
export async function listImportedRuns({ ctx }: { ctx: Context }): Promise<BenchmarkRunRow[]> {
  requireRole(ctx, "viewer");
  const runs = await ctx.platform.db.benchmarkRun.findMany({
    where: { state: "imported" },
    orderBy: { createdAt: "desc" },
    take: shownMax,
  });
  return runs.map(toRunRow);
}

/** Deletes only imported runs: a file can be imported again, but a measurement cannot be repeated. */
export async function deleteImportedRun({ ctx, input }: Verb<{ runId: string }>): Promise<void> {
  requireRole(ctx, "operator");
  await ctx.platform.db.$transaction(async (tx) => {
    const run = await tx.benchmarkRun.findUnique({
      where: { id: input.runId },
      select: { id: true, state: true, endpointName: true },
    });
    if (run === null) throw new StashlightError("not_found", "There is no such run.");
    if (run.state !== "imported") {
      throw new StashlightError(
        "conflict",
        "This run was measured, not imported; only imported runs can be deleted.",
      );
    }
    await tx.benchmarkRun.delete({ where: { id: run.id } });
    await writeAudit(tx, ctx, {
      action: "benchmark.import_deleted",
      target: { kind: "benchmark run", id: run.id, name: run.endpointName },
    });
  });
}
