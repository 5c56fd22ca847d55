export { firstMomentUs } from "./first-moment.ts";
export {
  getTraceInput,
  type ListTraces,
  listTracesInput,
  type UploadTraceData,
  type UploadTraceDetails,
  type UploadTraceList,
  type UploadTraceRow,
  uploadTraceSchema,
  uploadTracesSchema,
} from "./trace.ts";
export { benchmarkBucket, demoBucket } from "./trial-buckets.ts";
