import { earliestWindowMs } from "@stashlight/db/metrics";
import { type Context, requireRole } from "../../context.ts";

/**
 * Returns since when there are measurements, as far as raw windows are retained; null before the first one. Pages of a
 * new installation then show minutes instead of an hour that is nearly empty.
 */
export async function readMeasuredSinceMs({ ctx }: { ctx: Context }): Promise<number | null> {
  requireRole(ctx, "viewer");
  return earliestWindowMs(ctx.platform.metrics);
}
