/** Sync speed of a drive, measured on its own machine by the probe there. */
import { z } from "zod";
import { measurableDriveSchema } from "../disk/drive.ts";
import { nodeNameSchema, vaultNameSchema } from "../node/node.ts";

/** Address of a drive within its node, as in the vault's file: "s3". */
const deviceSchema = z
  .string("Name the drive.")
  .regex(/^[A-Za-z0-9._-]{1,60}$/, "The name of a drive can have up to 60 letters, digits, dots and dashes.");

/** Drive that a probe can write to, and the node that owns it. */
export const probeDriveSchema = z.strictObject({ node: nodeNameSchema, device: deviceSchema });
export type ProbeDrive = z.infer<typeof probeDriveSchema>;

/**
 * Drive as the probe reports it. `benchmark` is null if disk methods may not measure it: they write far more than an
 * fsync probe does.
 */
const reportedDriveSchema = probeDriveSchema.extend({
  benchmark: measurableDriveSchema.nullable().default(null),
});
export type ReportedDrive = z.output<typeof reportedDriveSchema>;

export const probeDrivesMax = 200;
/** A probe's request for a job, with the drives that it can write to. */
export const probeAskSchema = z.strictObject({
  drives: z.array(reportedDriveSchema).max(probeDrivesMax).default([]),
});
export type ProbeAsk = z.output<typeof probeAskSchema>;

export interface FsyncJob {
  readonly probeId: string;
  readonly drive: ProbeDrive;
  readonly recordBytes: readonly number[];
  readonly secondsEach: number;
  /** Space that is overwritten repeatedly; the file is removed at the end. */
  readonly fileBytes: number;
}

const count = z.int().min(0);
const figure = z.number().min(0);

const fsyncFigureSchema = z.strictObject({
  recordBytes: count,
  /** Records per second, written and synced one after the other. */
  syncsPerSecond: figure,
  /** Median of the fdatasync alone; null with too few samples. */
  p50Us: figure.nullable(),
  p99Us: figure.nullable(),
  n: count,
  seconds: figure,
});
export type FsyncFigure = z.infer<typeof fsyncFigureSchema>;

export const fsyncResultSchema = z.strictObject({
  tool: z.enum(["fio", "stashlight"]),
  toolVersion: z.string().max(60),
  /** Kernel's name for the disk; null if it has none, as for tmpfs and overlays. */
  blockDevice: z.string().max(100).nullable(),
  figures: z.array(fsyncFigureSchema).min(1).max(10),
});
export type FsyncResult = z.infer<typeof fsyncResultSchema>;

export const fsyncReportSchema = z.strictObject({
  type: z.literal("fsync"),
  probeId: z.uuid(),
  result: fsyncResultSchema.nullable(),
  /** Reason why there is no result. */
  sentence: z.string().max(2000).nullable(),
});
export type FsyncReport = z.infer<typeof fsyncReportSchema>;

export const fsyncDriveInput = probeDriveSchema;
export const fsyncVaultInput = z.object({ vault: vaultNameSchema });

export const fsyncProbeStates = ["queued", "running", "succeeded", "failed"] as const;

export interface FsyncProbeRow {
  readonly id: string;
  readonly vault: string;
  readonly node: string;
  readonly device: string;
  readonly state: (typeof fsyncProbeStates)[number];
  /** Name of the probe. */
  readonly probe: string;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly endedAt: Date | null;
  readonly result: FsyncResult | null;
  readonly sentence: string | null;
}

export interface FsyncProbes {
  /** Names of the probes that can reach the drive; empty if it cannot be measured. */
  readonly servedBy: readonly string[];
  /** Newest first. */
  readonly probes: readonly FsyncProbeRow[];
}
