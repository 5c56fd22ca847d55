/** Reads the S3 object in an upload's header, for coordinators and for pods, which count objects. */
import type { UploadHeader } from "@stashlight/write-path";

/** Metadata of an object in pieces: its size, because its body is only the list of the pieces. */
export const LARGE_SIZE = ":large-size";

/** The size of the object as a client sees it. */
export function sizeOf({
  sizeBytes,
  userMetadata,
}: Pick<UploadHeader, "sizeBytes" | "userMetadata">): number {
  const large = userMetadata[LARGE_SIZE];
  return large === undefined ? sizeBytes : Number(large);
}

/** The coordinators' internal buckets begin with a dot, and no client's bucket does. */
export const isOfClient = ({ bucket }: Pick<UploadHeader, "bucket">): boolean => !bucket.startsWith(".");
