export { queryHeatmap } from "./heatmap.ts";
export { listMetricLabels } from "./list-labels.ts";
export { readMeasuredSinceMs } from "./measured-since.ts";
export { queryMetric } from "./query.ts";
export { findStalls } from "./stalls.ts";
export { queryStandingMetric } from "./standing.ts";
