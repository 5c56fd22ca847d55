export { importedManifest, type StoredDistribution } from "./imported.ts";
export { latencyMs, lateStartMsMin, startDelayMs } from "./latency.ts";
export * from "./sample.ts";
export { formatLoad, formatMeasured, formatSize, parseSize, sizeText } from "./sizes.ts";
export { type BenchmarkStage, benchmarkStageSchema, type StageMachine } from "./stage.ts";
export { fitsWindow, stageThroughput } from "./stage-figures.ts";
export { type BenchmarkStarts, benchmarkStartsSchema } from "./starts.ts";
