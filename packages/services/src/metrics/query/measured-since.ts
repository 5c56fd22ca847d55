import { earliestWindowMs } from "@stashlight/db/metrics";
import { type Context, requireRole } from "../../context.ts";

/**
 * Since when there is anything to draw, as far as raw windows are kept; null before the first one. Pages of an
 * installation that has just begun then show minutes instead of an hour that is nearly empty.
 */
export async function readMeasuredSinceMs({ ctx }: { ctx: Context }): Promise<number | null> {
  requireRole(ctx, "viewer");
  return earliestWindowMs(ctx.platform.metrics);
}
