/** Forecasts when the SSD in one place will be worn out, as its page shows it. */
import type { WearForecast, WearForecastInput } from "@stashlight/contracts/forecast";
import { wearSpace } from "@stashlight/contracts/space";
import { describeWear } from "@stashlight/stats/forecast";
import { requireRole, type Verb } from "../context.ts";
import type { WithMerger } from "../metrics/query/merger.ts";
import { type ForecastQuestion, readForecasts } from "./read-forecasts.ts";

/** Null for a drive that reports no bytes written. */
export async function readWearForecast({
  ctx,
  input: { nodeId, device },
}: Verb<WearForecastInput, WithMerger>): Promise<WearForecast | null> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const nowMs = platform.now().getTime();
  const question: ForecastQuestion = {
    metric: wearSpace.taken,
    capacityMetric: wearSpace.capacity,
    nodeIds: [nodeId],
    where: { device: [device] },
    groupBy: ["device"],
    across: "max",
    leavesOutSimulated: false,
  };
  const [found] = await readForecasts(platform, question, nowMs);
  return found === undefined ? null : { sentence: describeWear(found.forecast, nowMs) };
}
