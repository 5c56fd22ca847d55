/** Resolutions, retention and partitions of the metric store. */
import { DAY_MS, HOUR_MS } from "@stashlight/contracts/time";

export const RESOLUTIONS = ["raw", "1m", "10m", "1h"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];
/** A resolution that is rolled up from the one below. */
export type RollupResolution = Exclude<Resolution, "raw">;

export const BUCKET_MS: Readonly<Record<RollupResolution, number>> = {
  "1m": 60_000,
  "10m": 600_000,
  "1h": HOUR_MS,
};

export const RETENTION_MS: Readonly<Record<Resolution, number>> = {
  raw: 2 * DAY_MS,
  "1m": 14 * DAY_MS,
  "10m": 90 * DAY_MS,
  "1h": 730 * DAY_MS,
};

/** Days per partition; partitions begin at multiples of this since 1970. */
export const PARTITION_DAYS: Readonly<Record<Resolution, number>> = { raw: 1, "1m": 7, "10m": 28, "1h": 91 };
