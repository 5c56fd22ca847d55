/** Kinds of object stores that benchmarks can measure; packages/benchmark has a driver for each. */
export const storeKinds = [
  "b2",
  "s3",
  "r2",
  "wasabi",
  "s3-compatible",
  "vault",
  "gcs",
  "azure-blob",
] as const;
export type StoreKind = (typeof storeKinds)[number];

/** Targets of plans: object stores, and drives of the machines on which probes run. */
export const endpointKinds = [...storeKinds, "drive"] as const;
export type EndpointKind = (typeof endpointKinds)[number];

/** True for kinds with the S3 API and its credentials. */
export const isS3Kind = (kind: StoreKind): boolean => kind !== "gcs" && kind !== "azure-blob";
