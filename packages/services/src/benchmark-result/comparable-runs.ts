import type { ComparableRun, ComparableSubject } from "@stashlight/contracts/benchmark";
import { benchmarkGroupColumns, benchmarkRunColumns } from "@stashlight/db/columns/benchmark";
import { type Context, requireRole } from "../context.ts";
import { storedDistributions } from "./distributions.ts";

const shownMax = 500;

/** Lists the newest runs that can be compared, measured and imported. */
export async function listComparableRuns({ ctx }: { ctx: Context }): Promise<ComparableRun[]> {
  requireRole(ctx, "viewer");
  const runs = await ctx.platform.db.benchmarkRun.findMany({
    where: { state: { in: ["succeeded", "imported"] } },
    orderBy: { createdAt: "desc" },
    take: shownMax,
    include: {
      plan: { select: { name: true } },
      groups: {
        select: { operation: true, sizeBytes: true, connectionCount: true, n: true, failureCount: true },
        orderBy: [{ operation: "asc" }, { sizeBytes: "asc" }, { connectionCount: "asc" }],
      },
    },
  });
  return runs.flatMap((run) => {
    const sampled = run.groups
      .filter(({ n, failureCount }) => n > failureCount)
      .map(
        (group): ComparableSubject => ({
          operation: benchmarkGroupColumns.operation.read(group.operation, run.id),
          sizeBytes: Number(group.sizeBytes),
          connectionCount: group.connectionCount,
          sampleCount: group.n - group.failureCount,
          by: "samples",
        }),
      );
    const manifest = run.manifest === null ? null : benchmarkRunColumns.manifest.read(run.manifest, run.id);
    const counted = storedDistributions(manifest).map(({ distribution: _, ...subject }) => subject);
    const subjects = [...sampled, ...counted];
    if (subjects.length === 0) return [];
    const { name: method } = benchmarkRunColumns.method.read(run.method, run.id);
    return [
      {
        runId: run.id,
        name: run.endpointName,
        origin: run.plan?.name ?? (run.state === "imported" ? run.vantageName : method),
        isImported: run.state === "imported",
        at: run.startedAt ?? run.slotAt,
        subjects,
      },
    ];
  });
}
