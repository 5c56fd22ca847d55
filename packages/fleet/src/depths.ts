/** Time range that each resolution of a fleet's history covers. */
import { DAY_MS, HOUR_MS } from "@stashlight/contracts/time";
import { BUCKET_MS, RETENTION_MS, type Resolution } from "@stashlight/db/metrics";

export const WINDOW_MS = 10_000;

/**
 * Limit on histogram rows: for a large fleet, all windows within retention would be hundreds of millions. The finest
 * two resolutions cover as much time as these limits allow, and at least as much as a live chart shows in them.
 */
const ROWS_MAX = { raw: 2_000_000, "1m": 4_000_000 } as const;
const DEPTH_MS_MIN = { raw: 2.25 * HOUR_MS, "1m": 26 * HOUR_MS } as const;

export type Depths = Readonly<Record<Resolution, number>>;

export const resolutionSpanMs = (resolution: Resolution): number =>
  resolution === "raw" ? WINDOW_MS : BUCKET_MS[resolution];

/** Returns the depths in milliseconds before now. */
export function historyDepths(histogramCount: number, dayCount: number): Depths {
  const wantedMs = (resolution: Resolution): number =>
    Math.min(dayCount * DAY_MS, RETENTION_MS[resolution] - HOUR_MS);
  const withinRows = (resolution: "raw" | "1m"): number => {
    const rowsMs = (ROWS_MAX[resolution] / histogramCount) * resolutionSpanMs(resolution);
    return Math.min(wantedMs(resolution), Math.max(DEPTH_MS_MIN[resolution], rowsMs));
  };
  return { raw: withinRows("raw"), "1m": withinRows("1m"), "10m": wantedMs("10m"), "1h": wantedMs("1h") };
}
