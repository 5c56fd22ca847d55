/** The kinds of object stores that benchmarks can measure; packages/benchmark has a driver for each. */
export const endpointKinds = ["b2", "s3", "s3-compatible", "vault", "gcs", "azure-blob"] as const;
export type EndpointKind = (typeof endpointKinds)[number];
