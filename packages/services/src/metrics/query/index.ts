export { listMetricLabels } from "./list-labels.ts";
export { findLiveStalls, queryLiveHeatmap, queryLiveMetric } from "./live-answer-cache.ts";
export { readMeasuredSinceMs } from "./measured-since.ts";
export { queryMetric } from "./query.ts";
