/** Classifies S3 requests by the statuses that coordinators count: why a request was refused, and who must act. */

/**
 * Operations that store data: an error of a read usually means that the object does not exist. A wrong signature counts
 * as a failed upload, because it is refused before the operation is known.
 */
const writeOperations = [
  "PutObject",
  "PostObject",
  "CopyObject",
  "CreateBucket",
  "CreateMultipartUpload",
  "UploadPart",
  "UploadPartCopy",
  "CompleteMultipartUpload",
  "unknown",
] as const;

export type FailureReason = "full" | "busy" | "failed" | "client";

const readOperations = [
  ...["GetObject", "HeadObject", "HeadBucket", "GetBucketLocation", "ListBuckets", "ListObjects"],
  ...["ListObjectsV2", "ListObjectVersions", "ListParts", "ListMultipartUploads", "DeleteObject"],
  ...["DeleteObjects", "AbortMultipartUpload", "DeleteBucket"],
];
/** Statuses with which the S3 edge refuses requests. */
const refusals = ["400", "403", "404", "405", "409", "411", "412", "416", "501"];
const failures = ["500", "503", "507"];

/** Filter for the requests for which `failureReason` returns a reason. */
export const failedRequests = [
  { operation: [...writeOperations], status: [...refusals, ...failures] },
  { operation: readOperations, status: failures },
];

/** Ordered by urgency for an operator. */
export const failureReasons: Readonly<Record<FailureReason, string>> = {
  full: "out of space (507)",
  busy: "busy or unavailable (503)",
  failed: "failed (other 5xx)",
  client: "refused as invalid (4xx)",
};

const writes: ReadonlySet<string> = new Set(writeOperations);
/** A failure only for operations that store data. */
const NOT_IMPLEMENTED = 501;

/**
 * Reason for a failed or refused request; null if it was served, or if a read got a client error or
 * 501.
 */
export function failureReason(operation: string, status: string): FailureReason | null {
  const code = Number(status);
  if (!(code >= 400) || (code === NOT_IMPLEMENTED && !writes.has(operation))) return null;
  if (code === 507) return "full";
  if (code === 503) return "busy";
  if (code >= 500 && code !== NOT_IMPLEMENTED) return "failed";
  return writes.has(operation) ? "client" : null;
}
