/** The kinds of object stores that benchmarks can measure; packages/benchmark has a driver for each. */
export const endpointKinds = [
  "b2",
  "s3",
  "r2",
  "wasabi",
  "s3-compatible",
  "vault",
  "gcs",
  "azure-blob",
] as const;
export type EndpointKind = (typeof endpointKinds)[number];

/** Whether stores of this kind are spoken to as S3 is, whatever the credentials. */
export const isS3Kind = (kind: EndpointKind): boolean => kind !== "gcs" && kind !== "azure-blob";
