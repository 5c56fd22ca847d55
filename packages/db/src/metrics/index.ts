export { binaryArray } from "./binary-array.ts";
export * from "./client.ts";
export { copyHistogramBuckets, copySampleBuckets, type SampleBucket } from "./copy-buckets.ts";
export { copyHistograms, copySamples } from "./copy-rows.ts";
export { type FoundRefusal, findArrivals, findRefused, type NodeArrival } from "./delivery.ts";
export * from "./fleet-samples.ts";
export * from "./fleets.ts";
export { type Forgotten, forgetNodes, forgetUnused, rolledUpNodes } from "./forget-nodes.ts";
export { ensurePartitions, maintainPartitions, type PartitionChanges } from "./partitions.ts";
export {
  highestP99s,
  LEVELS,
  type ReadRange,
  readHistograms,
  readSamples,
  type SampleSource,
  unpackHistograms,
  unpackSamples,
} from "./read-windows.ts";
export { BUCKET_MS, RESOLUTIONS, RETENTION_MS, type Resolution, type RollupResolution } from "./retention.ts";
export * from "./roll-up.ts";
export { arrangeSamples, orderSamples, type SampleOrder, type SampleValues } from "./sample-values.ts";
export {
  countLayouts,
  countSeries,
  dayNumber,
  findLayoutIds,
  lockSeries,
  type NewLayout,
  type NewSeries,
  readSeries,
  type StoredSeries,
  useLayouts,
  useSeries,
} from "./series.ts";
export { type FoundWindow, findSlowWindows, type SlowWindowsQuery } from "./slow-windows.ts";
export * from "./store-load.ts";
export {
  earliestWindowMs,
  type FoundNode,
  type FoundSeries,
  findDevices,
  findGaps,
  findLayouts,
  findNodes,
  findSeries,
  newestHistogramMs,
} from "./stored-series.ts";
export {
  deleteTracesBefore,
  type FoundTrace,
  findTrace,
  findTraces,
  findUploadElsewhere,
  findUploads,
  insertTraces,
  newestTrace,
  type StoredTrace,
  type TraceFilter,
} from "./traces.ts";
export { metricViews, readerRole, viewSchema } from "./views.ts";
export {
  countRefused,
  emptyHistogramColumns,
  type HistogramColumns,
  insertGaps,
  insertHistograms,
  insertSamples,
  markDue,
  type NodeState,
  noteBatches,
  type Queryable,
  type RefusedItems,
  type RollupMark,
  type SampleRow,
  type SeenBatch,
  type StoredGap,
  updateNodeStates,
} from "./write-rows.ts";
