/** How fast a drive syncs, measured on the drive's own machine by the probe that runs there. */
import { z } from "zod";
import { measurableDriveSchema } from "../disk/drive.ts";
import { nodeNameSchema, vaultNameSchema } from "../node/node.ts";

/** The address of a drive within its node, as the vault's file has it: "s3". */
const deviceSchema = z
  .string("Name the drive.")
  .regex(/^[A-Za-z0-9._-]{1,60}$/, "The name of a drive has up to 60 letters, digits, dots and dashes.");

/** A drive that a probe can write to, and the node whose drive it is. */
export const probeDriveSchema = z.strictObject({ node: nodeNameSchema, device: deviceSchema });
export type ProbeDrive = z.infer<typeof probeDriveSchema>;

/** The same as the probe tells it; null where disk methods may not measure it, which write far more than syncs do. */
const toldDriveSchema = probeDriveSchema.extend({
  benchmark: measurableDriveSchema.nullable().default(null),
});
export type ToldDrive = z.output<typeof toldDriveSchema>;

export const probeDrivesMax = 200;
/** What a probe says when it asks for a job. */
export const probeAskSchema = z.strictObject({
  drives: z.array(toldDriveSchema).max(probeDrivesMax).default([]),
});
export type ProbeAsk = z.output<typeof probeAskSchema>;

export interface FsyncJob {
  readonly probeId: string;
  readonly drive: ProbeDrive;
  readonly recordBytes: readonly number[];
  readonly secondsEach: number;
  /** Space that is written over and over; the file is removed at the end. */
  readonly fileBytes: number;
}

const count = z.int().min(0);
const figure = z.number().min(0);

const fsyncFigureSchema = z.strictObject({
  recordBytes: count,
  /** Records that were written and synced one after the other, a second. */
  syncsPerSecond: figure,
  /** The median of the fdatasync alone; null with too few samples. */
  p50Us: figure.nullable(),
  p99Us: figure.nullable(),
  n: count,
  seconds: figure,
});
export type FsyncFigure = z.infer<typeof fsyncFigureSchema>;

export const fsyncResultSchema = z.strictObject({
  tool: z.enum(["fio", "stashlight"]),
  toolVersion: z.string().max(60),
  /** As the kernel calls the disk; null where it tells nothing, as of tmpfs and overlays. */
  blockDevice: z.string().max(100).nullable(),
  figures: z.array(fsyncFigureSchema).min(1).max(10),
});
export type FsyncResult = z.infer<typeof fsyncResultSchema>;

export const fsyncReportSchema = z.strictObject({
  type: z.literal("fsync"),
  probeId: z.uuid(),
  result: fsyncResultSchema.nullable(),
  /** Why there is no result. */
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
  /** The probe's name. */
  readonly probe: string;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly endedAt: Date | null;
  readonly result: FsyncResult | null;
  readonly sentence: string | null;
}

export interface FsyncProbes {
  /** Names of the probes that can reach the drive; none says that it cannot be measured. */
  readonly servedBy: readonly string[];
  /** The newest first. */
  readonly probes: readonly FsyncProbeRow[];
}
