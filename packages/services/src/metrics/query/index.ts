export { queryHeatmap } from "./heatmap.ts";
export { readMeasuredSinceMs } from "./measured-since.ts";
export { type WithMerger, withMerger } from "./merger.ts";
export { queryMetric } from "./query.ts";
export { findStalls } from "./stalls.ts";
