import { costOfStage } from "@stashlight/benchmark/methods";
import type {
  BenchmarkReport,
  BenchmarkRunDetails,
  BenchmarkStageCosts,
} from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import { benchmarkRunColumns } from "@stashlight/db/columns/benchmark";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import { requireRole, type Verb } from "../context.ts";
import { measuresDrives } from "./method.ts";
import { toGroupRow, toRunRow } from "./plan-rows.ts";
import { runMethod } from "./stored-plan.ts";

export async function getBenchmarkRun({ ctx, input }: Verb<{ runId: string }>): Promise<BenchmarkRunDetails> {
  requireRole(ctx, "viewer");
  const run = await ctx.platform.db.benchmarkRun.findUnique({
    where: { id: input.runId },
    include: {
      groups: { orderBy: [{ operation: "asc" }, { sizeBytes: "asc" }] },
      endpoint: { select: { id: true, priceList: true } },
    },
  });
  if (run === null) throw new StashlightError("not_found", "There is no such run.");
  const method = runMethod(run);
  const report = benchmarkRunColumns.report.readOrNull(run.report, run.id);
  return {
    ...toRunRow(run),
    methodChoice: method,
    isOfDrive: measuresDrives(method),
    manifest: benchmarkRunColumns.manifest.readOrNull(run.manifest, run.id),
    report,
    stageCosts: computeStageCosts(report, run.endpoint),
    groups: run.groups.map(toGroupRow),
    cleanedAt: run.cleanedAt,
    cleanError: run.cleanError,
    cleanAfter: run.cleanedAt === null ? run.cleanAfter : null,
  };
}

/** Null without stages or without prices. */
function computeStageCosts(
  report: BenchmarkReport | null,
  endpoint: { readonly id: string; readonly priceList: unknown } | null,
): BenchmarkStageCosts | null {
  const prices = endpoint && endpointColumns.priceList.readOrNull(endpoint.priceList, endpoint.id);
  if (report === null || report.stages.length === 0 || prices === null) return null;
  const byName = report.stages.map((stage) => [stage.name, costOfStage(stage, prices)]);
  return { asOf: prices.asOf, byName: Object.fromEntries(byName) };
}
