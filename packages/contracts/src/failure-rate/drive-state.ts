/** States and rows of drives whose days and failures are counted; without a schema, so that pages load them alone. */

/** An operator marks a drive; one that is only away is still in use, and its absence is no failure. */
export const driveStates = ["in-use", "failed", "retired"] as const;
export type DriveState = (typeof driveStates)[number];

export const driveStateWords: Record<DriveState, string> = {
  "in-use": "In use",
  failed: "Failed",
  retired: "Retired",
};

export interface FleetDriveRow {
  id: string;
  /** Empty where the machine does not report it, like the serial number. */
  model: string;
  serial: string;
  node: string;
  vault: string | null;
  device: string;
  state: DriveState;
  /** Days on which it was seen, in UTC. */
  daysSeen: number;
  /** ISO days. */
  firstSeenOn: string;
  lastSeenOn: string;
  /** It was seen neither today nor yesterday. */
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
  /** ISO days, both included. */
  from: string;
  to: string;
  driveDays: number;
  failures: number;
}

/** Failures a drive-year of a model. */
export interface ModelRateRow {
  model: string;
  /** Drives of the fleet that are in use and were seen today or yesterday. */
  installedCount: number;
  /** With the exact Poisson interval of the counts; null for a model that no table and no import has. */
  published: (PublishedCounts & { rate: Interval & { value: number }; isImported: boolean }) | null;
  own: { driveDays: number; failures: number };
  /** The fleet's own counts and the published ones together. */
  rate: Interval & { value: number };
  /** Failures that the rate counts like. */
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
  /** Drives that the list leaves out. */
  omittedDriveCount: number;
  quarters: ImportedQuarterRow[];
}
