import { type BenchmarkReport, type BenchmarkRunDetails, StashlightError } from "@stashlight/contracts";
import { requireRole, type Verb } from "../context.ts";
import { methodOf } from "./find.ts";
import { toGroupRow, toRunRow } from "./rows.ts";

export async function getBenchmarkRun({ ctx, input }: Verb<{ runId: string }>): Promise<BenchmarkRunDetails> {
  requireRole(ctx, "viewer");
  const run = await ctx.platform.db.benchmarkRun.findUnique({
    where: { id: input.runId },
    include: { groups: { orderBy: [{ operation: "asc" }, { sizeBytes: "asc" }] } },
  });
  if (run === null) throw new StashlightError("not_found", "There is no such run.");
  return {
    ...toRunRow(run),
    methodChoice: methodOf(run),
    manifest: run.manifest as Record<string, unknown> | null,
    report: run.report as BenchmarkReport | null,
    groups: run.groups.map(toGroupRow),
    cleanedAt: run.cleanedAt,
    cleanError: run.cleanError,
  };
}
