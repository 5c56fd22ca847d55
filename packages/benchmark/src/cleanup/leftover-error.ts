/** Describes what a clean-up could not remove: how much, where, why, and what to do. */
import type { EndpointError } from "../endpoint/explain-failure.ts";
import { type EndpointTarget, targetHostname } from "../endpoint/target.ts";

interface Leftover {
  readonly leftCount: number;
  readonly runPrefix: string;
  readonly target: EndpointTarget;
  /** First refusal; null if every deletion was answered with success. */
  readonly refusal: EndpointError | null;
}

export class LeftoverError extends Error {
  override readonly name = "LeftoverError";
  /** Objects, versions and markers. */
  readonly leftCount: number;

  constructor(leftover: Leftover) {
    const { leftCount, runPrefix, target } = leftover;
    const what = leftCount === 1 ? "1 object or version remains" : `${leftCount} objects or versions remain`;
    super(
      `${what} in "${target.bucket}" at ${targetHostname(target)} below ${runPrefix}: ${leftoverReason(leftover)}`,
    );
    this.leftCount = leftCount;
  }
}

/** S3 gives a key without permission and a version under object lock the same answer; MinIO's is InvalidRequest. */
const REFUSED_OR_LOCKED = new Set([
  "AccessDenied",
  "AllAccessDisabled",
  "AuthorizationPermissionMismatch",
  "InvalidRequest",
]);

function leftoverReason({ refusal, target }: Leftover): string {
  if (refusal === null)
    return "the endpoint answered their deletion with success and still lists them; it will be tried again.";
  if (!REFUSED_OR_LOCKED.has(refusal.failure.code)) return refusal.message;
  const right = rightOf[target.kind];
  return `the deletion was refused (${refusal.failure.status} ${refusal.failure.code}); give the key ${right}, or wait until the bucket's object lock or retention ends.`;
}

const S3_RIGHT = "the right to delete objects and their versions";
const rightOf: Readonly<Record<EndpointTarget["kind"], string>> = {
  b2: "the capability deleteFiles",
  s3: "s3:DeleteObject and s3:DeleteObjectVersion",
  "s3-compatible": S3_RIGHT,
  vault: S3_RIGHT,
  r2: S3_RIGHT,
  wasabi: S3_RIGHT,
  gcs: "storage.objects.delete",
  "azure-blob": "the permissions to delete blobs and their versions",
};
