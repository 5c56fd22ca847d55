/** Uploads whose moments a coordinator kept: as it sends them, and as the console requests them. */
import { z } from "zod";
import { metricLabelValues, type UploadPath } from "../metrics/definition.ts";
import { vaultNames } from "../vault/names.ts";

const uploadPaths = metricLabelValues.path;

const DAY_US = 86_400_000_000;
/** Microseconds from when the sending of shards began; earlier moments are negative. */
const moment = z.int().min(-DAY_US).max(DAY_US).nullable();
const span = z.object({ startUs: moment, endUs: moment });

const uploadIdSchema = z.string().regex(/^[\w-]{1,64}$/, "There is no such upload.");

const shard = z.object({
  index: z.int().min(0).max(255),
  podSentUs: moment,
  podWrittenUs: moment,
  stashSentUs: moment,
  stashDurableUs: moment,
  flushedUs: moment,
  purgedUs: moment,
});

/** One trace; null means that the moment did not happen or is unknown. */
export const uploadTraceSchema = z.object({
  uploadId: uploadIdSchema,
  bucket: z.string().regex(/^[\w.-]{1,255}$/),
  sizeBytes: z.int().min(0),
  path: z.enum(uploadPaths),
  result: z.string().regex(/^[\w .:-]{1,60}$/),
  startedAtMs: z.int().min(0),
  totalUs: z.int().min(0).max(DAY_US),
  keptBecause: z.array(z.enum(["sampled", "slow", "slowest"])).max(3),
  verify: span,
  encode: span,
  podQuorumUs: moment,
  stashQuorumUs: moment,
  quorumUs: moment,
  shards: z.array(shard).max(256),
});
export type UploadTraceData = z.infer<typeof uploadTraceSchema>;

const tracesPerPostMax = 64;

/** Each trace is checked separately, so that an invalid one does not affect the others. */
export const uploadTracesSchema = z.object({ traces: z.array(z.unknown()).max(tracesPerPostMax) });

export const listTracesInput = z
  .object({
    fromMs: z.int().min(0),
    toMs: z.int().min(0),
    vaults: vaultNames,
    path: z.enum(uploadPaths).optional(),
    /** "stored", or "failed" for every other result. */
    result: z.enum(["stored", "failed"]).optional(),
    countMax: z.int().min(1).max(200).default(100),
  })
  .refine(({ fromMs, toMs }) => toMs > fromMs, "A range must end after it begins.");
export type ListTraces = z.infer<typeof listTracesInput>;

export const getTraceInput = z.object({ uploadId: uploadIdSchema });

export interface UploadTraceRow {
  nodeName: string;
  /** Null for a node that has been removed. */
  vault: string | null;
  uploadId: string;
  startedAt: Date;
  bucket: string;
  path: UploadPath;
  result: string;
  sizeBytes: number;
  /** From its first known moment to its answer. */
  totalSeconds: number;
  isSimulated: boolean;
}

export interface UploadTraceList {
  /** Slowest first. */
  traces: UploadTraceRow[];
  /** Total number of traces; only the slowest are listed. */
  totalCount: number;
  /** Start of the newest stored trace, even outside the range; null while there is none. */
  newestAt: Date | null;
}

export interface UploadTraceDetails extends UploadTraceRow {
  trace: UploadTraceData;
}
