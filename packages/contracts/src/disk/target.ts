/** Drives as pages show them: targets with their latest figures, and groups of them side by side. */
import { z } from "zod";
import type { BenchmarkRunLabel, BenchmarkRunState } from "../benchmark/plan.ts";
import type { DiskCell, DiskCellResult } from "./cell.ts";
import type { DriveLabels } from "./drive.ts";

export const driveIdInput = z.object({ driveId: z.uuid("There is no such drive.") });

/** Label by which drives are grouped. A drive without the label forms its own group. */
const driveGroupings = ["provider", "region", "instanceType", "volumeType", "drive"] as const;
export type DriveGrouping = (typeof driveGroupings)[number];

export const compareDrivesInput = z.object({
  /** Drives to compare; empty for all that were measured. */
  driveIds: z.array(z.uuid()).max(200).default([]),
  groupBy: z.enum(driveGroupings).default("provider"),
  method: z.enum(["disk-sweep", "stash-load", "volume-check"]).default("disk-sweep"),
});

export interface DriveFigure {
  /** Formats "4 KiB random reads, queue depth 32". */
  title: string;
  cell: Pick<DiskCell, "access" | "readShare" | "blockBytes" | "queueDepth" | "syncsWrites">;
  iops: number;
  p50Us: number | null;
  p99Us: number | null;
}

/** A drive in the form that plans use: with sustained figures, not burst figures. */
export interface PlannableDrive {
  capacityBytes: number | null;
  writeBytesPerSecond: number;
  writeIops: number;
  /** Appends synced by one writer, for the largest record that was measured; null without a stash load. */
  fsyncPerSecond: number | null;
  measuredAt: Date;
  /** Token bucket found by a volume check; null if none was found. */
  burst: { iops: number; sustainedIops: number; bucketIos: number } | null;
}

/** Duration of one writer's append and its sync, for the largest record that was measured. */
export interface DriveSyncs {
  recordBytes: number;
  n: number;
  perSecond: number;
  measuredAt: Date;
  /** Ascending, up to the slowest; the faster half is represented by its median. */
  quantilesUs: [share: number, us: number][];
}

export interface DriveRow {
  id: string;
  name: string;
  /** Probe that measures it, and the node that owns the drive. */
  probe: { nodeId: string; name: string } | null;
  node: string;
  device: string;
  labels: DriveLabels;
  label: BenchmarkRunLabel;
  /** True if its probe still offers it. */
  isOffered: boolean;
  plans: { id: string; name: string }[];
  /** Figures of the newest sweep that measured anything, and the number of sweeps. */
  sweep: { runId: string; finishedAt: Date; figures: DriveFigure[]; runCount: number } | null;
  /** Findings of the newest volume check that measured anything. */
  check: { runId: string; finishedAt: Date; finding: string | null; sentence: string | null } | null;
  /** Null until a sweep has measured random and sequential writes. */
  plannable: PlannableDrive | null;
  /** Null until a stash load with one writer has ended. */
  syncs: DriveSyncs | null;
}

/** Cell of a run, with the findings in its seconds. */
export interface DiskCellRow {
  place: number;
  repetition: number;
  result: DiskCellResult;
  /** Null with too few seconds. */
  limit: { sentence: string; fitted: number[] } | null;
  /** Null unless the drive is labelled as a volume that has a model. */
  model: { name: string; iops: number[]; errorShare: number; sentence: string } | null;
}

export interface DiskRunDetails {
  runId: string;
  cells: DiskCellRow[];
  /** Number of cells that the method measures in all. */
  cellCount: number;
  /** Measuring tool, such as "fio-3.33", and the kernel's description of the drive; null until the run has ended. */
  measuredWith: string | null;
  device: string | null;
  /** Limits of the drive inferred from block sizes and rests. */
  sentences: string[];
}

export interface DriveRunRow {
  runId: string;
  planName: string | null;
  method: string;
  state: BenchmarkRunState;
  startedAt: Date | null;
  outcome: string | null;
  writtenBytes: number | null;
}

export interface DriveDetails extends DriveRow {
  /** Newest first. */
  runs: DriveRunRow[];
}

export interface ComparedFigure {
  /** Median over hosts of the median over their runs. */
  iops: number;
  interval: { low: number; high: number; confidence: number } | null;
  p50Us: number | null;
  p99Us: number | null;
  hostCount: number;
  runCount: number;
  /** Standard deviations as shares of the mean rate; null if there are too few. */
  spread: { hosts: number; runs: number; seconds: number } | null;
}

export interface ComparedCell {
  cell: Pick<DiskCell, "access" | "readShare" | "blockBytes" | "queueDepth" | "syncsWrites">;
  title: string;
  /** In the order of the groups; null if a group did not measure it. */
  figures: (ComparedFigure | null)[];
  /** Sentences that name the faster group; empty if fewer than two groups measured it. */
  verdicts: string[];
}

export interface DriveComparison {
  groups: {
    name: string;
    driveNames: string[];
    hostCount: number;
    isModelled: boolean;
    /** US dollars per month, of the drives with a known price. */
    pricePerMonth: number | null;
  }[];
  cells: ComparedCell[];
  /** Confidence at which all cells were tested together. */
  confidence: number;
  /** Newest measurement of every drive that lasted long enough, in the order of groups and names. */
  overTime: LatencyOverTime[];
}

export interface LatencyOverTime {
  group: string;
  driveName: string;
  /** Formats "4 KiB random I/O, queue depth 64". */
  title: string;
  stepSeconds: number;
  /** Mean latency of the requests that ended in each step; null if none did. */
  meanUs: (number | null)[];
}
