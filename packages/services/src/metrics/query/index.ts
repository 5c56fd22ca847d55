export { listMetricLabels } from "./list-labels.ts";
export { readMeasuredSinceMs } from "./measured-since.ts";
export { queryMetric } from "./query.ts";
export { findStandingStalls, queryStandingHeatmap, queryStandingMetric } from "./standing.ts";
