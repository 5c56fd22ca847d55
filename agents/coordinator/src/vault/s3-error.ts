import { S3Error } from "@stashlight/s3";
import type { VaultError } from "./errors.ts";

const codes = {
  precondition: "PreconditionFailed",
  conflict: "ConditionalRequestConflict",
  full: "InsufficientStorage",
  unavailable: "SlowDown",
  undecodable: "ObjectUnreadable",
} as const;

/** Unreachable nodes come back either within seconds or after much longer. */
const RETRY_AFTER_SECONDS = "5";

/** Converts the vault's refusal to an S3 error. `freeBytes` is the size of bodies that the vault can still store. */
export function s3ErrorOf(error: VaultError, freeBytes: number): S3Error {
  const headers: Record<string, string> = {};
  const mayPass = error.code === "unavailable" || error.code === "undecodable";
  if (mayPass) headers["retry-after"] = RETRY_AFTER_SECONDS;
  // A retry would not help; S3 clients retry a 503, but not a 507.
  if (error.code === "full") headers["x-stashlight-free-bytes"] = String(freeBytes);
  const message = error.code === "undecodable" ? error.message : undefined;
  return new S3Error(codes[error.code], message, { cause: error, headers });
}
