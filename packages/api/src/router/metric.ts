import { metricHeatmapInput, metricQueryInput } from "@stashlight/contracts/metrics/query";
import { stallsInput } from "@stashlight/contracts/metrics/stall";
import { findStalls, queryHeatmap, queryMetric } from "@stashlight/services/metrics/query";
import { queryWith, router } from "../trpc.ts";

export const metricRouter = router({
  query: queryWith(metricQueryInput, queryMetric),
  heatmap: queryWith(metricHeatmapInput, queryHeatmap),
  stalls: queryWith(stallsInput, findStalls),
});
