/** Schemas of measured cells as probes report them, the database keeps them and files carry them. */
import { z } from "zod";
import { diskAccesses } from "./access.ts";

/** One day plus a cool-down. */
const SECONDS_MAX = 90_000;
const count = z.int().min(0);
const figure = z.number().min(0);

/** A load on the drive: `queueDepth` requests at a time, one after another, for `secondsMax`. */
const diskCellSchema = z.object({
  access: z.enum(diskAccesses),
  /** 1 for reads only, 0 for writes only, 0.8 for four reads in five. */
  readShare: z.number().min(0).max(1),
  blockBytes: z.int().min(1),
  queueDepth: z.int().min(1),
  /**
   * Follows each write by an fdatasync, included in its latency, as a stash does. Missing in files of earlier versions,
   * which never synced.
   */
  syncsWrites: z.boolean().default(false),
  secondsMax: figure,
  /** Ends the cell as soon as the rate is steady over five rounds of this length; null runs to the end. */
  roundSeconds: figure.nullable(),
});
export type DiskCell = Readonly<z.output<typeof diskCellSchema>>;

/** Microseconds from handing over a request to its answer; percentiles within 2.2 %, null with too few requests. */
const diskLatencySchema = z.object({
  n: count,
  meanUs: figure.nullable(),
  p50Us: figure.nullable(),
  p99Us: figure.nullable(),
  p999Us: figure.nullable(),
  maxUs: figure.nullable(),
});
export type DiskLatency = Readonly<z.output<typeof diskLatencySchema>>;

/**
 * Steady: the rates of the last five rounds are within 20 % of their mean, and the best line through them rises or
 * falls by no more than 10 % of it (SNIA, Solid State Storage Performance Test Specification). Shares are of the mean
 * rate.
 */
const steadyState = z.object({ isSteady: z.boolean(), excursionShare: figure, slopeShare: z.number() });
export type SteadyState = Readonly<z.output<typeof steadyState>>;

const perSecond = z.object({
  /** Number of requests that ended in each second. */
  iops: z.array(figure).max(SECONDS_MAX),
  /** Their mean latency, 0 if none ended. */
  meanUs: z.array(figure).max(SECONDS_MAX),
  /** Share of the requests' time spent waiting for a processor; missing if the kernel does not count it. */
  waitedShare: z.array(figure).max(SECONDS_MAX).optional(),
});

export const diskCellResultSchema = z.object({
  cell: diskCellSchema,
  seconds: figure,
  /** Rates of the last five rounds if there are rounds, otherwise of the whole time. */
  readsPerSecond: figure,
  writesPerSecond: figure,
  read: diskLatencySchema,
  write: diskLatencySchema,
  /** Null without rounds, and with fewer than five. */
  steadyState: steadyState.nullable(),
  perSecond,
  writtenBytes: count,
});
export type DiskCellResult = Readonly<z.output<typeof diskCellResultSchema>>;
