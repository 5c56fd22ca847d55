import { metricHeatmapInput, metricLabelsInput, metricQueryInput } from "@stashlight/contracts/metrics/query";
import { stallsInput } from "@stashlight/contracts/metrics/stall";
import {
  findStalls,
  listMetricLabels,
  queryHeatmap,
  queryStandingMetric,
} from "@stashlight/services/metrics/query";
import { queryWith, router } from "../trpc.ts";

export const metricRouter = router({
  query: queryWith(metricQueryInput, queryStandingMetric),
  heatmap: queryWith(metricHeatmapInput, queryHeatmap),
  labels: queryWith(metricLabelsInput, listMetricLabels),
  stalls: queryWith(stallsInput, findStalls),
});
