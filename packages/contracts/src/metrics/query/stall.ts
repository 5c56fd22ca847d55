/** Single syncs that took far longer than others of their kind, which a percentile of many samples does not show. */

import { z } from "zod";
import { DAY_MS } from "../../time/duration.ts";
import { vaultNames } from "../../vault/names.ts";
import type { MetricOrigin } from "./query.ts";

const RANGE_MS_MAX = 750 * DAY_MS;
const OVER_SECONDS_MAX = 3_600;

export const stallsInput = z
  .object({
    /** HDD and SSD are never in the same list, because a stall on one is a usual flush on the other. */
    tier: z.enum(["pod", "stash"]),
    fromMs: z.int().min(0),
    toMs: z.int().min(0),
    vaults: vaultNames,
    /** Windows with a sync that took longer than this. */
    overSeconds: z.number().positive().max(OVER_SECONDS_MAX),
    /** Selects the stalls to keep if there are more than `countMax`. */
    order: z.enum(["worst", "newest"]).default("worst"),
    countMax: z.int().min(1).max(500).default(200),
  })
  .refine(
    ({ fromMs, toMs }) => toMs > fromMs && toMs - fromMs <= RANGE_MS_MAX,
    "A range must end after it begins and be at most 750 days long.",
  );
export type StallsQuery = z.infer<typeof stallsInput>;

/** The slowest sync of a drive in one window. Its time within the window is not stored. */
export interface Stall {
  readonly node: string;
  readonly vault: string | null;
  readonly device: string;
  /** Model from which the drive's timing comes; null for a real drive. */
  readonly modelled: string | null;
  readonly isSimulated: boolean;
  readonly startMs: number;
  readonly endMs: number;
  readonly maxSeconds: number;
  /** Number of syncs in the window. */
  readonly n: number;
  /** Median of the window; null with fewer than 20 syncs. */
  readonly p50Seconds: number | null;
}

export interface Stalls extends MetricOrigin {
  readonly stalls: readonly Stall[];
  /** Number of windows over the threshold, listed or not. */
  readonly totalCount: number;
}
