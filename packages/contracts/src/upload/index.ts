export { firstMomentUs } from "./first-moment.ts";
export * from "./trace.ts";
export { benchmarkBucket, demoBucket } from "./trial-buckets.ts";
