import { earliestWindowMs } from "@stashlight/db/metrics";
import { type Context, requireRole } from "../../context.ts";

/**
 * Returns since when there are measurements, as far as raw windows are retained; null before the first. Lets pages of a
 * new installation show minutes instead of an almost empty hour.
 */
export async function readMeasuredSinceMs({ ctx }: { ctx: Context }): Promise<number | null> {
  requireRole(ctx, "viewer");
  return earliestWindowMs(ctx.platform.metrics);
}
