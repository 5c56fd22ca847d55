import type { BenchmarkPlanPreview, previewBenchmarkPlanInput } from "@stashlight/contracts/benchmark";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import { requireRole, type Verb } from "../context.ts";
import { nextOccurrences } from "../schedule/occurrences.ts";
import { occurrencesPerMonth } from "./cost.ts";
import { estimatedPrice, methodEstimate } from "./method.ts";
import { checkRecurrence } from "./recurrence.ts";

const nextRunsCount = 5;

/** Previews the work and cost of a plan. Requests, bytes and seconds are per run of one endpoint. */
export async function previewBenchmarkPlan({
  ctx,
  input,
}: Verb<typeof previewBenchmarkPlanInput>): Promise<BenchmarkPlanPreview> {
  requireRole(ctx, "viewer");
  const now = ctx.platform.now();
  checkRecurrence(input, now);
  const estimate = methodEstimate(input.method);
  const endpoints = await ctx.platform.db.endpoint.findMany({
    where: { id: { in: input.endpointIds } },
    select: { id: true, name: true, priceList: true, drive: true },
  });
  const runsPerMonth = occurrencesPerMonth(input, now);
  return {
    nextRunsAt: nextOccurrences(input, now, nextRunsCount),
    runsPerMonth,
    requestsPerRun: Object.values(estimate.requests).reduce((sum, count) => sum + count, 0),
    uploadedBytesPerRun: estimate.uploadedBytes,
    downloadedBytesPerRun: estimate.downloadedBytes,
    writtenBytesPerRun: estimate.writtenBytes,
    writtenBytesPerMonth: estimate.writtenBytes * runsPerMonth,
    wear: endpoints.flatMap(({ id, name, drive }) => {
      const enduranceBytes = endpointColumns.drive.readOrNull(drive, id)?.labels.enduranceBytes ?? null;
      if (enduranceBytes === null) return [];
      const enduranceSharePerMonth = (estimate.writtenBytes * runsPerMonth) / enduranceBytes;
      return [{ endpointId: id, endpointName: name, enduranceSharePerMonth }];
    }),
    estimatedSeconds: estimate.seconds,
    costs: input.endpointIds.flatMap((id) => {
      const endpoint = endpoints.find((each) => each.id === id);
      if (endpoint === undefined) return [];
      const perRun = estimatedPrice(estimate, endpoint);
      const perMonth = perRun === null ? null : perRun * runsPerMonth;
      return [{ endpointId: id, endpointName: endpoint.name, perRun, perMonth }];
    }),
  };
}
