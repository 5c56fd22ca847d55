/** Compares several endpoints over every operation and size of one or more plans, and the time of a restore. */
import { z } from "zod";
import type { EndpointKind } from "../endpoint/endpoint-kind.ts";
import type { BenchmarkOperation } from "../sample/sample.ts";
import { instantMs } from "../time/instant.ts";
import { RESTORE_CONNECTIONS_MAX, RESTORE_OBJECTS_MAX } from "./restore-limits.ts";
import {
  type BenchmarkEndpointRef,
  type BenchmarkEstimate,
  type BenchmarkSlots,
  isPeriod,
  minimumEffectSchema,
  periodIssue,
} from "./result.ts";

const planId = z.uuid("There is no such benchmark schedule.");

export const benchmarkSweepInput = z
  .object({
    /** First the page's own plan, then plans with the same question from other places. */
    planIds: z
      .array(planId)
      .min(1, "Choose at least one schedule.")
      .max(6, "At most 6 schedules can be compared.")
      .refine((ids) => new Set(ids).size === ids.length, "Choose each schedule only once."),
    fromMs: instantMs,
    toMs: instantMs,
    minimumEffect: minimumEffectSchema.default({ kind: "share", share: 0.05 }),
  })
  .refine(isPeriod, periodIssue);
export type BenchmarkSweepQuestion = z.output<typeof benchmarkSweepInput>;

/** Endpoint of a plan, with the label that distinguishes it from the same provider's endpoints elsewhere. */
export interface BenchmarkSweepSeries {
  endpoint: BenchmarkEndpointRef;
  /** Both null for an endpoint that was deleted. */
  kind: EndpointKind | null;
  region: string | null;
}

export interface BenchmarkSweepEntry {
  /** Index of its endpoint in `series`. */
  series: number;
  /** Median of the runs' medians, without an interval if there are too few runs; that of a single run as it is. */
  medianMs: BenchmarkEstimate;
  runCount: number;
  /** Samples of the runs in `medianMs`. */
  sampleCount: number;
  /** Number of failures in all runs. */
  failureCount: number;
  /** Runs with too many disturbed samples, which are left out of `medianMs` if there are others. */
  contaminatedCount: number;
}

/** One operation at one size: its endpoints, and the fastest of them. */
export interface BenchmarkSweepCell {
  operation: BenchmarkOperation;
  sizeBytes: number;
  connectionCount: number;
  entries: BenchmarkSweepEntry[];
  /** Slots of the two endpoints that share the fewest undisturbed ones; null with figures of only one. */
  slots: (BenchmarkSlots & { ofSeries: [number, number] }) | null;
  /** Index in `series` of the endpoint that is faster than every other; null if none is. */
  fastest: number | null;
  /** Index in `series` of the endpoint that is ahead of every other while slots for a test are missing. */
  leader: number | null;
  /**
   * Reason why none is fastest: no difference is shown, it is below the minimum, success rates differ, the correction
   * for all comparisons leaves it in doubt, slots are missing, or only one endpoint has figures.
   */
  because: (typeof sweepReasons)[number] | null;
  /** Corrected p-value of the fastest against its closest rival; null if slots are missing. */
  pValue: number | null;
}

export const sweepReasons = ["test", "minimum", "success", "correction", "slots", "alone"] as const;

/** Plan that measured its endpoints from one place. */
export interface BenchmarkSweepPlace {
  planId: string;
  planName: string;
  vantageName: string;
  series: BenchmarkSweepSeries[];
  cells: BenchmarkSweepCell[];
  /** Sentence for each operation: the fastest endpoint at each size. */
  sentences: string[];
}

export interface BenchmarkSweep {
  question: BenchmarkSweepQuestion;
  places: BenchmarkSweepPlace[];
  /**
   * Number of tests for which the p-values are corrected: one per pair of endpoints at an operation and size with
   * enough slots.
   */
  comparisonCount: number;
}

export const benchmarkRestoreInput = z
  .object({
    planId,
    /** Size of the objects: one of those that the plan downloads. */
    objectBytes: z.int().min(1),
    objectCount: z
      .int("Enter a whole number.")
      .min(1, "At least one object.")
      .max(RESTORE_OBJECTS_MAX, `At most ${RESTORE_OBJECTS_MAX} objects.`),
    connectionCount: z
      .int("Enter a whole number.")
      .min(1, "At least one connection.")
      .max(RESTORE_CONNECTIONS_MAX, `At most ${RESTORE_CONNECTIONS_MAX} connections.`),
    fromMs: instantMs,
    toMs: instantMs,
  })
  .refine(isPeriod, periodIssue);
export type BenchmarkRestoreQuestion = z.output<typeof benchmarkRestoreInput>;

/** Estimated time to download that many objects from an endpoint, by its measured downloads. */
export interface BenchmarkRestoreTime {
  endpoint: BenchmarkEndpointRef;
  /** Number of connections over which the downloads were measured. */
  measuredConnectionCount: number;
  runCount: number;
  sampleCount: number;
  failureCount: number;
  /** Null if no download of this size succeeded. */
  seconds: BenchmarkEstimate | null;
  mbPerSecond: BenchmarkEstimate | null;
  isExtrapolated: boolean;
  sentence: string;
}
