/**
 * Stage: a part of a run that is reported separately, such as the full backup, an incremental or a restore. Its samples
 * are those of its legs.
 */
import { z } from "zod";

const stageMachineCountMax = 16;
const stageLegCountMax = 10;
/** Upper bound: a full backup, incrementals, a merge, a restore and concurrent writes need fewer. */
export const stageCountMax = 40;

const count = z.int().min(0);
const milliseconds = z.number().min(0);

/** Work over the wire and its duration; bytes are those of successful operations. */
const workFields = {
  durationMs: milliseconds,
  /** Data protected or restored, including known or unchanged blocks. */
  dataBytes: count,
  uploadedBytes: count,
  downloadedBytes: count,
  /** Number of failed operations, and of blocks that could not be requested because they had not been uploaded. */
  failedCount: count,
};

export const benchmarkStageSchema = z.object({
  /** "full", "incremental-2": unique in the run. */
  name: z.string().min(1).max(60),
  title: z.string().min(1).max(100),
  /** Indexes of its legs in the method's plan. */
  legs: z.array(count).max(stageLegCountMax),
  ...workFields,
  requests: z.object({ put: count, get: count, delete: count }),
  /** Description of the failures and the first of them; null if all succeeded. */
  failure: z.string().max(500).nullable(),
  /** Each participating machine, by its number from 1. */
  machines: z.array(z.object({ machine: z.int().min(1), ...workFields })).max(stageMachineCountMax),
  /** Extrapolated: time for the whole amount to protect at this pace, against its window. */
  extrapolation: z.object({ protectedBytes: count, seconds: z.number(), windowSeconds: z.number() }),
});
export type BenchmarkStage = z.infer<typeof benchmarkStageSchema>;
export type StageMachine = BenchmarkStage["machines"][number];
