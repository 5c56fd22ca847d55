/** Schemas of measured cells as probes report them, the database keeps them and files carry them. */
import { z } from "zod";
import { type DiskCell, type DiskCellResult, type DiskLatency, diskAccesses } from "./cell.ts";

/** A day plus its cool-down. */
const SECONDS_MAX = 90_000;
const count = z.int().min(0);
const figure = z.number().min(0);

const diskCellSchema: z.ZodType<DiskCell> = z.object({
  access: z.enum(diskAccesses),
  readShare: z.number().min(0).max(1),
  blockBytes: z.int().min(1),
  queueDepth: z.int().min(1),
  /** Missing in files of earlier versions, which never synced. */
  syncsWrites: z.boolean().default(false),
  secondsMax: figure,
  roundSeconds: figure.nullable(),
});

const diskLatencySchema: z.ZodType<DiskLatency> = z.object({
  n: count,
  meanUs: figure.nullable(),
  p50Us: figure.nullable(),
  p99Us: figure.nullable(),
  p999Us: figure.nullable(),
  maxUs: figure.nullable(),
});

export const diskCellResultSchema: z.ZodType<DiskCellResult> = z.object({
  cell: diskCellSchema,
  seconds: figure,
  readsPerSecond: figure,
  writesPerSecond: figure,
  read: diskLatencySchema,
  write: diskLatencySchema,
  steadyState: z.object({ isSteady: z.boolean(), excursionShare: figure, slopeShare: z.number() }).nullable(),
  perSecond: z.object({
    iops: z.array(figure).max(SECONDS_MAX),
    meanUs: z.array(figure).max(SECONDS_MAX),
    waitedShare: z.array(figure).max(SECONDS_MAX).optional(),
  }),
  writtenBytes: count,
});
