/** Reads an S3 object's properties from an upload's header, for coordinators and for pods, which count objects. */
import type { UploadHeader } from "@stashlight/write-path";

/** Metadata key for the size of an object in pieces, whose body is only the list of the pieces. */
export const LARGE_SIZE = ":large-size";

/** Returns the size of the object as a client sees it. */
export function sizeOf({
  sizeBytes,
  userMetadata,
}: Pick<UploadHeader, "sizeBytes" | "userMetadata">): number {
  const large = userMetadata[LARGE_SIZE];
  return large === undefined ? sizeBytes : Number(large);
}

/**
 * Behind an endpoint with several vaults, an ETag is stored with the epoch in which the version was written, except in
 * epoch 1.
 */
export function storedEtag(etag: string, epoch: number): string {
  return epoch === 1 ? etag : `${etag}~${epoch}`;
}

export function parseStoredEtag(stored: string): { readonly etag: string; readonly epoch: number } {
  const [, etag, epoch] = /^(.*)~(\d+)$/s.exec(stored) ?? [];
  return etag === undefined ? { etag: stored, epoch: 1 } : { etag, epoch: Number(epoch) };
}

/** The coordinators' internal buckets begin with a dot; no bucket of a client does. */
export const isOfClient = ({ bucket }: Pick<UploadHeader, "bucket">): boolean => !bucket.startsWith(".");
