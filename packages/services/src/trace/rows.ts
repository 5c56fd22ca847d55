import { type UploadTraceRow, uploadTraceSchema } from "@stashlight/contracts";
import type { FoundTrace } from "@stashlight/db/metrics";

const { bucket: bucketSchema, path: pathSchema } = uploadTraceSchema.shape;

/** What the ingest checked before it was stored. */
export function toTraceRow({ payload, ...found }: FoundTrace): UploadTraceRow {
  const { bucket } = payload as { bucket: unknown };
  return { ...found, path: pathSchema.parse(found.path), bucket: bucketSchema.parse(bucket) };
}
