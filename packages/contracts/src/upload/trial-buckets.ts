/** Buckets that a trial installation writes to without a user. */

/** Bucket of the demo load. */
export const demoBucket = "demo";
/** Bucket of the benchmark that compares the vault's two paths. */
export const benchmarkBucket = "benchmarks";
