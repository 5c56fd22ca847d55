export { listMetricLabels } from "./list-labels.ts";
export { findStandingStalls, queryStandingHeatmap, queryStandingMetric } from "./live-answer-cache.ts";
export { readMeasuredSinceMs } from "./measured-since.ts";
export { queryMetric } from "./query.ts";
