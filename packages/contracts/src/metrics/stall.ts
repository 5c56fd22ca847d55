/** Single syncs that took far longer than others of their kind: what a percentile of many samples does not show. */

import { z } from "zod";
import { DAY_MS } from "../time/duration.ts";
import { vaultNames } from "../vault/names.ts";
import type { MetricOrigin } from "./query.ts";

const RANGE_MS_MAX = 750 * DAY_MS;
const OVER_SECONDS_MAX = 3_600;

export const stallsInput = z
  .object({
    /** HDD and SSD are never in one list, since what is a stall on one is a usual flush on the other. */
    tier: z.enum(["pod", "stash"]),
    fromMs: z.int().min(0),
    toMs: z.int().min(0),
    vaults: vaultNames,
    /** Windows with a sync that took longer. */
    overSeconds: z.number().positive().max(OVER_SECONDS_MAX),
    /** The stalls that are kept where there are more than `countMax`. */
    order: z.enum(["worst", "newest"]).default("worst"),
    countMax: z.int().min(1).max(500).default(200),
  })
  .refine(
    ({ fromMs, toMs }) => toMs > fromMs && toMs - fromMs <= RANGE_MS_MAX,
    "A range ends after it begins and is at most 750 days long.",
  );
export type StallsQuery = z.infer<typeof stallsInput>;

/** The slowest sync of a drive in one window. Its time within the window is not stored. */
export interface Stall {
  readonly node: string;
  readonly vault: string | null;
  readonly device: string;
  /** The model that the drive's timing is from; null for a real drive. */
  readonly modelled: string | null;
  readonly isSimulated: boolean;
  readonly startMs: number;
  readonly endMs: number;
  readonly maxSeconds: number;
  /** Syncs in the window. */
  readonly n: number;
  /** The median of the window; null with fewer than 20 syncs. */
  readonly p50Seconds: number | null;
}

export interface Stalls extends MetricOrigin {
  readonly stalls: readonly Stall[];
  /** Windows over the threshold, with those that are not listed. */
  readonly totalCount: number;
}
