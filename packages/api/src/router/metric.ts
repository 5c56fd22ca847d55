import {
  metricHeatmapInput,
  metricLabelsInput,
  metricQueryInput,
  stallsInput,
} from "@stashlight/contracts/metrics/query";
import {
  findLiveStalls,
  listMetricLabels,
  queryLiveHeatmap,
  queryLiveMetric,
} from "@stashlight/services/metrics/query";
import { queryWith, router } from "../trpc.ts";

export const metricRouter = router({
  query: queryWith(metricQueryInput, queryLiveMetric),
  heatmap: queryWith(metricHeatmapInput, queryLiveHeatmap),
  labels: queryWith(metricLabelsInput, listMetricLabels),
  stalls: queryWith(stallsInput, findLiveStalls),
});
