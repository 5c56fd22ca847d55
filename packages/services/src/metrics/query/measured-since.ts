import { earliestWindowMs } from "@stashlight/db/metrics";
import { type Context, requireRole } from "../../context.ts";

/**
 * Returns the end of the earliest raw window that is retained; null before the first. Lets pages of a new installation
 * show minutes instead of an almost empty hour.
 */
export async function readMeasuredSinceMs({ ctx }: { ctx: Context }): Promise<number | null> {
  requireRole(ctx, "viewer");
  return earliestWindowMs(ctx.platform.metrics);
}
