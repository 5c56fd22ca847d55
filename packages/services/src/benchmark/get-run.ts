import type { BenchmarkRunDetails } from "@stashlight/contracts/benchmark/plan";
import { StashlightError } from "@stashlight/contracts/errors";
import { benchmarkRunColumns } from "@stashlight/db/columns/benchmark";
import { requireRole, type Verb } from "../context.ts";
import { methodOfRun } from "./find.ts";
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
    methodChoice: methodOfRun(run),
    manifest: benchmarkRunColumns.manifest.readOrNull(run.manifest, run.id),
    report: benchmarkRunColumns.report.readOrNull(run.report, run.id),
    groups: run.groups.map(toGroupRow),
    cleanedAt: run.cleanedAt,
    cleanError: run.cleanError,
  };
}
