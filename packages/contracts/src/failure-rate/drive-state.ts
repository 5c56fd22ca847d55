/**
 * States and rows of drives whose days and failures are counted; without a schema, so that pages can load only these.
 */

/** Operators mark drives; an absent drive is still in use, and absence is not a failure. */
export const driveStates = ["in-use", "failed", "retired"] as const;
export type DriveState = (typeof driveStates)[number];

export const driveStateWords: Record<DriveState, string> = {
  "in-use": "In use",
  failed: "Failed",
  retired: "Retired",
};

export interface FleetDriveRow {
  id: string;
  /** Empty if the machine does not report it, like the serial number. */
  model: string;
  serial: string;
  node: string;
  vault: string | null;
  device: string;
  state: DriveState;
  /** Number of UTC days on which it was seen. */
  daysSeen: number;
  /** ISO day. */
  firstSeenOn: string;
  lastSeenOn: string;
  /** True if it was seen neither today nor yesterday. */
  isGone: boolean;
  markedBy: string | null;
  markedAt: Date | null;
}

interface Interval {
  low: number;
  high: number;
}

export interface PublishedCounts {
  source: string;
  /** ISO days, both inclusive. */
  from: string;
  to: string;
  driveDays: number;
  failures: number;
}

/** A model's failures per drive-year. */
export interface ModelRateRow {
  model: string;
  /** Number of the fleet's drives in use that were seen today or yesterday. */
  installedCount: number;
  /** With the exact Poisson interval of the counts; null for a model in no table or import. */
  published: (PublishedCounts & { rate: Interval & { value: number }; isImported: boolean }) | null;
  own: { driveDays: number; failures: number };
  /** Rate from the fleet's own counts and the published ones together. */
  rate: Interval & { value: number };
  /** Number of failures to which the rate is equivalent. */
  countedFailures: number;
}

export interface ImportedQuarterRow {
  quarter: string;
  source: string;
  from: string;
  to: string;
  dayCount: number;
  modelCount: number;
  driveDays: number;
  failures: number;
  importedBy: string;
  importedAt: Date;
}

export interface FailureRates {
  models: ModelRateRow[];
  drives: FleetDriveRow[];
  /** Number of drives left out of the list. */
  omittedDriveCount: number;
  quarters: ImportedQuarterRow[];
}
