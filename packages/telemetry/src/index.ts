export {
  type MetricDefinition,
  type MetricKind,
  type MetricLabels,
  type MetricName,
  metricCatalogue,
  type SizeClass,
  type Tier,
  toSizeClass,
  type UploadPath,
} from "@stashlight/contracts/metrics";
export * from "./batch/batch.ts";
export { SeriesMemories } from "./batch/series-memory.ts";
export { type AccessKeysAnswer, askAccessKeys } from "./delivery/ask-access-keys.ts";
export { askBucketQuestions, type BucketQuestionsAnswer } from "./delivery/ask-bucket-questions.ts";
export { askObjectQuestions, type ObjectQuestionsAnswer } from "./delivery/ask-object-questions.ts";
export { Delivery, type DeliveryOptions, type DeliveryStatus, type PostResult } from "./delivery/delivery.ts";
export { BATCH_CONTENT_TYPE, type PostOptions, postBatch, SENT_HEADER } from "./delivery/http-post.ts";
export { type PostTracesResult, postTraces, TRACES_CONTENT_TYPE } from "./delivery/post-traces.ts";
export {
  askForJob,
  type JobAnswer,
  PROBE_JOBS_CONTENT_TYPE,
  type ProbeOptions,
  postReport,
  type ReportAnswer,
} from "./delivery/probe-jobs.ts";
export { openQuarantine, type Quarantine } from "./delivery/quarantine.ts";
export {
  AGENT_VERSION_HEADER,
  type EnrolledIdentity,
  type EnrolmentIdentity,
  type EnrolResult,
  enrol,
  type IngestAddress,
  type NodeAnswer,
} from "./enrolment/enrol.ts";
export { type ObtainedKey, type ObtainKeyOptions, obtainKey } from "./enrolment/obtain-key.ts";
export * from "./enrolment/private-file.ts";
export * from "./exposition/exposition.ts";
export type { Gap, GapReason } from "./gap.ts";
export { upperBound } from "./histogram/buckets.ts";
export { ExponentialHistogram, type HistogramContent } from "./histogram/histogram.ts";
export {
  decodeBuckets,
  encodeBuckets,
  type PackedHistogram,
  packedQuantiles,
  packHistogram,
} from "./histogram/packed.ts";
export { HistogramSum, type StoredHistogram } from "./histogram/sum.ts";
export { decodeOtlpMetrics, type OtlpBatches } from "./otlp/decode.ts";
export { otlpAnswer, otlpStatus } from "./otlp/encode-answer.ts";
export type { OtlpEncoding } from "./otlp/request.ts";
export * from "./recorder/recorder.ts";
export type { CounterHandle, GaugeHandle, HistogramHandle, Labels } from "./recorder/series.ts";
export { openSpoolFolder } from "./spool/files.ts";
export { Spool, type SpoolOptions } from "./spool/spool.ts";
export * from "./traces/trace-ring.ts";
export type {
  KeptBecause,
  ShardMoment,
  TraceSnapshot,
  UploadEnd,
  UploadMoment,
  UploadStart,
  UploadTrace,
} from "./traces/upload-trace.ts";
