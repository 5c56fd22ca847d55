export const demoBucket = "demo";
/** The bucket of the benchmark that compares the vault's two paths. */
export const benchmarkBucket = "benchmarks";
