export const demoBucket = "demo";
/** Of the benchmark that compares the vault's two paths. */
export const benchmarkBucket = "benchmarks";
