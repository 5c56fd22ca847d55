export type { ChecksumAlgorithm, ChecksumType, ObjectChecksum } from "./checksum/algorithms.ts";
export { S3Error, type S3ErrorCode, type S3ErrorOptions } from "./errors.ts";
export type { S3Limits } from "./limits.ts";
export type { OperationName } from "./operations/registry.ts";
export type { AdmissionRequest, Admit, ObservedRequest, S3ServerOptions } from "./server/options.ts";
export { createS3Server, type S3Server } from "./server/server.ts";
export { type AccessKey, type AccessKeyLookup, DEFAULT_OWNER } from "./signature/access-key.ts";
export type { Principal } from "./signature/authenticate.ts";
export type * from "./store.ts";
