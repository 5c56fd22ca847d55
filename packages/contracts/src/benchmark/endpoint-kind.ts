/** The kinds of object stores that benchmarks can measure; packages/benchmark has a driver for each. */
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

/** What plans measure: object stores, and drives of the machines on which probes run. */
export const endpointKinds = [...storeKinds, "drive"] as const;
export type EndpointKind = (typeof endpointKinds)[number];

/** Whether stores of this kind are spoken to as S3 is, whatever the credentials. */
export const isS3Kind = (kind: StoreKind): boolean => kind !== "gcs" && kind !== "azure-blob";
