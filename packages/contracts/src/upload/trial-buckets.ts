/** Buckets to which a trial installation writes without a user. */

/** Bucket of the demo load. */
export const demoBucket = "demo";
/** Bucket of the benchmark that compares the vault's two paths. */
export const benchmarkBucket = "benchmarks";
