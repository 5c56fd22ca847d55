export { binaryArray } from "./binary-array.ts";
export {
  inTransaction,
  type MetricClient,
  type MetricConnection,
  openMetricClient,
  withStatementTimeout,
} from "./client.ts";
export { copyHistogramBuckets, copySampleBuckets, type SampleBucket } from "./copy-buckets.ts";
export { copyHistograms, copySamples } from "./copy-rows.ts";
export { type FoundRefusal, findArrivals, findRefused, type NodeArrival } from "./delivery.ts";
export {
  type FleetSamplePart,
  type LayoutNames,
  readFleetSamples,
  readLayoutNames,
  replaceFleetSamples,
} from "./fleet-samples.ts";
export {
  areFleetsPending,
  FLEET_ACROSS,
  FLEET_LEVELS,
  type FleetAcross,
  type FleetPart,
  type FoundFleetSeries,
  findFleetSeries,
  individualLabels,
  markFleets,
  mostFleetMembers,
  readFleetParts,
} from "./fleets.ts";
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
export {
  type DueHistogram,
  raiseWatermarks,
  readDueHistograms,
  replaceHistograms,
  rollUpSamples,
  takeDue,
} from "./roll-up.ts";
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
export {
  readRollUpLags,
  readRowRate,
  readStorageProfile,
  readTableSizes,
  type TableSizes,
} from "./store-load.ts";
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
