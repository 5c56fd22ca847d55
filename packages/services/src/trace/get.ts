import { StashlightError } from "@stashlight/contracts/errors";
import { type UploadTraceDetails, uploadTraceSchema } from "@stashlight/contracts/upload";
import { findTrace } from "@stashlight/db/metrics";
import { requireRole, type Verb } from "../context.ts";
import { toTraceRow } from "./trace-row.ts";

/** Returns one sampled upload with all its moments. */
export async function getTrace({ ctx, input }: Verb<{ uploadId: string }>): Promise<UploadTraceDetails> {
  requireRole(ctx, "viewer");
  const found = await findTrace(ctx.platform.metrics, input.uploadId);
  if (found === null) {
    throw new StashlightError(
      "not_found",
      "There is no trace of this upload: it was not sampled, or its trace is older than two days.",
    );
  }
  return { ...toTraceRow(found), trace: uploadTraceSchema.parse(found.payload) };
}
