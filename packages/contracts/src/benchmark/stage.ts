/**
 * A stage: a part of a run that is told by itself, such as the full backup, an incremental or a restore. Its samples are
 * those of its legs.
 */
import { z } from "zod";

const stageMachineCountMax = 16;
const stageLegCountMax = 10;
/** A full backup, incrementals, a merge, a restore and what is written meanwhile are fewer. */
export const stageCountMax = 40;

const count = z.int().min(0);
const milliseconds = z.number().min(0);

/** What was done over the wire and how long it took; bytes are those of operations that succeeded. */
const workFields = {
  durationMs: milliseconds,
  /** The data that was protected or restored by it, blocks that were known or unchanged included. */
  dataBytes: count,
  uploadedBytes: count,
  downloadedBytes: count,
  /** Operations that failed, and blocks that could not be asked for because they had not been uploaded. */
  failedCount: count,
};

export const benchmarkStageSchema = z.object({
  /** "full", "incremental-2": unique in the run. */
  name: z.string().min(1).max(60),
  title: z.string().min(1).max(100),
  /** The places of its legs in the method's plan. */
  legs: z.array(count).max(stageLegCountMax),
  ...workFields,
  requests: z.object({ put: count, get: count, delete: count }),
  /** What failed and the first that did; null if all succeeded. */
  failure: z.string().max(500).nullable(),
  /** Each machine that took part, by its number from 1. */
  machines: z.array(z.object({ machine: z.int().min(1), ...workFields })).max(stageMachineCountMax),
  /** Extrapolated: how long as much data as is to be protected takes at this pace, against the window that it has. */
  extrapolation: z.object({ protectedBytes: count, seconds: z.number(), windowSeconds: z.number() }),
});
export type BenchmarkStage = z.infer<typeof benchmarkStageSchema>;
export type StageMachine = BenchmarkStage["machines"][number];
