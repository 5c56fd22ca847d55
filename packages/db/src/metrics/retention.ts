/** Resolutions, retention and partitions of the metric store. */
import { DAY_MS, HOUR_MS } from "@stashlight/contracts/time/duration";

export const RESOLUTIONS = ["raw", "1m", "10m", "1h"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];
/** Made from the resolution before it. */
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

/** Partitions begin at multiples of this many days since 1970. */
export const PARTITION_DAYS: Readonly<Record<Resolution, number>> = { raw: 1, "1m": 7, "10m": 28, "1h": 91 };
/** At least a week ahead. */
export const PARTITIONS_AHEAD: Readonly<Record<Resolution, number>> = { raw: 7, "1m": 2, "10m": 1, "1h": 1 };
