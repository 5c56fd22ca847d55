/** The drives that hold the shards of one object, and how they fail and are rebuilt: the input of every model. */
import { requireCount, requireWithin } from "./error.ts";

export interface DriveGroup {
  /** k: any k shards restore an object. 1 to 255. */
  readonly dataShards: number;
  /** m: an object survives the loss of any m shards. 1 to 255. */
  readonly parityShards: number;
  /** Share of drives that fail within a year, greater than 0 and less than 1. */
  readonly annualFailureRate: number;
  /**
   * Days from the failure of a drive until its shards are whole again on another one: noticing, replacing, rebuilding.
   */
  readonly rebuildDays: number;
  /** Number of drives of the group rebuilt at the same time, at least 1; Infinity if each drive has its own rate. */
  readonly rebuildsAtOnce: number;
  /** Null if drives fail independently of each other. */
  readonly commonCause: CommonCause | null;
}

/** Failures that affect several drives of the group at once: a chassis, a batch, a firmware (the beta factor model). */
export interface CommonCause {
  /** Share of all failures, 0 to 1. */
  readonly share: number;
  /** Number of drives that one such event fails, at least 1. */
  readonly drives: number;
}

const SHARDS_MAX = 255;
export const FAILURE_RATE_MIN = 1e-12;
export const FAILURE_RATE_MAX = 1 - 1e-9;
/** One second, the shortest rebuild. */
export const REBUILD_DAYS_MIN = 1 / 86_400;
/** One century; a longer rebuild would never end in practice. */
export const REBUILD_DAYS_MAX = 36_500;

/** Throws a `DurabilityError` if a value of the group is outside the range of the models. */
export function checkDriveGroup(group: DriveGroup): void {
  requireCount(group.dataShards, "The number of data shards", 1, SHARDS_MAX);
  requireCount(group.parityShards, "The number of parity shards", 1, SHARDS_MAX);
  requireWithin(group.annualFailureRate, "The annual failure rate", FAILURE_RATE_MIN, FAILURE_RATE_MAX);
  requireWithin(group.rebuildDays, "The number of days of a rebuild", REBUILD_DAYS_MIN, REBUILD_DAYS_MAX);
  if (group.rebuildsAtOnce !== Number.POSITIVE_INFINITY) {
    requireCount(group.rebuildsAtOnce, "The number of drives rebuilt at once", 1, 2 * SHARDS_MAX);
  }
  if (group.commonCause === null) return;
  requireWithin(group.commonCause.share, "The share of common causes", 0, 1);
  requireCount(group.commonCause.drives, "The number of drives that a common cause fails", 1, 2 * SHARDS_MAX);
}

/** Number of drives in the group, n. */
export const driveCount = ({ dataShards, parityShards }: DriveGroup): number => dataShards + parityShards;
