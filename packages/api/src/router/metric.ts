import { metricHeatmapInput, metricLabelsInput, metricQueryInput } from "@stashlight/contracts/metrics/query";
import { stallsInput } from "@stashlight/contracts/metrics/stall";
import {
  findStandingStalls,
  listMetricLabels,
  queryStandingHeatmap,
  queryStandingMetric,
} from "@stashlight/services/metrics/query";
import { queryWith, router } from "../trpc.ts";

export const metricRouter = router({
  query: queryWith(metricQueryInput, queryStandingMetric),
  heatmap: queryWith(metricHeatmapInput, queryStandingHeatmap),
  labels: queryWith(metricLabelsInput, listMetricLabels),
  stalls: queryWith(stallsInput, findStandingStalls),
});
