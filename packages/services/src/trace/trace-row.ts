import { type UploadTraceRow, uploadTraceSchema } from "@stashlight/contracts/upload";
import type { FoundTrace } from "@stashlight/db/metrics";
import { z } from "zod";

const { bucket: bucketSchema, path: pathSchema } = uploadTraceSchema.shape;

const payloadSchema = z.object({ bucket: bucketSchema });

/** The ingest validated the payload before it was stored. */
export function toTraceRow({ payload, ...found }: FoundTrace): UploadTraceRow {
  const { bucket } = payloadSchema.parse(payload);
  return { ...found, path: pathSchema.parse(found.path), bucket };
}
