/** Several endpoints side by side, over every operation and size of one or more plans, and how long a restore takes. */
import { z } from "zod";
import { instantMs } from "../time/instant.ts";
import type { EndpointKind } from "./endpoint-kind.ts";
import { RESTORE_CONNECTIONS_MAX, RESTORE_OBJECTS_MAX } from "./restore-limits.ts";
import {
  type BenchmarkEndpointRef,
  type BenchmarkEstimate,
  type BenchmarkSlots,
  isPeriod,
  minimumEffectSchema,
  periodIssue,
} from "./result.ts";
import type { BenchmarkOperation } from "./sample.ts";

const planId = z.uuid("There is no such benchmark schedule.");

export const benchmarkSweepInput = z
  .object({
    /** The first is the page's own plan; others are the same question asked from elsewhere. */
    planIds: z
      .array(planId)
      .min(1, "Choose at least one schedule.")
      .max(6, "At most 6 schedules are compared.")
      .refine((ids) => new Set(ids).size === ids.length, "A schedule is compared once."),
    fromMs: instantMs,
    toMs: instantMs,
    minimumEffect: minimumEffectSchema.default({ kind: "share", share: 0.05 }),
  })
  .refine(isPeriod, periodIssue);
export type BenchmarkSweepQuestion = z.output<typeof benchmarkSweepInput>;

/** An endpoint of a plan, with what tells it from the same provider's elsewhere. */
export interface BenchmarkSweepSeries {
  endpoint: BenchmarkEndpointRef;
  /** Both null for an endpoint that was deleted. */
  kind: EndpointKind | null;
  region: string | null;
}

export interface BenchmarkSweepEntry {
  /** The place of its endpoint in `series`. */
  series: number;
  /** The median of the runs' medians, or that of the newest run where there are too few runs for an interval. */
  medianMs: BenchmarkEstimate;
  runCount: number;
  sampleCount: number;
  failureCount: number;
  /** Runs of which too many samples were disturbed. */
  contaminatedCount: number;
}

/** One operation at one size: the endpoints, and which of them is fastest. */
export interface BenchmarkSweepCell {
  operation: BenchmarkOperation;
  sizeBytes: number;
  connectionCount: number;
  entries: BenchmarkSweepEntry[];
  /** The slots of the two endpoints that share the fewest undisturbed ones; null with figures of one alone. */
  slots: (BenchmarkSlots & { ofSeries: [number, number] }) | null;
  /** The place in `series` of the endpoint that is faster than every other one; null where none is. */
  fastest: number | null;
  /** The place of the endpoint that is ahead of every other one, while slots for a test are missing. */
  leader: number | null;
  /**
   * Why none is fastest: no difference is shown, it is below the minimum, success rates differ, the correction for all
   * comparisons leaves it in doubt, slots are missing, or only one endpoint has figures.
   */
  because: (typeof sweepReasons)[number] | null;
  /** The corrected p-value of the fastest against the one that is hardest to tell from it; null where slots are missing. */
  pValue: number | null;
}

export const sweepReasons = ["test", "minimum", "success", "correction", "slots", "alone"] as const;

/** A plan: the place from which its endpoints were measured. */
export interface BenchmarkSweepPlace {
  planId: string;
  planName: string;
  vantageName: string;
  series: BenchmarkSweepSeries[];
  cells: BenchmarkSweepCell[];
  /** A sentence for each operation: who is fastest at which sizes. */
  sentences: string[];
}

export interface BenchmarkSweep {
  question: BenchmarkSweepQuestion;
  places: BenchmarkSweepPlace[];
  /** Tests that the p-values are corrected for: two endpoints of a place at an operation and size, with enough slots. */
  comparisonCount: number;
}

export const benchmarkRestoreInput = z
  .object({
    planId,
    /** The size of the objects: one of those that the plan downloads. */
    objectBytes: z.int().min(1),
    objectCount: z
      .int("Write a whole number.")
      .min(1, "At least one object.")
      .max(RESTORE_OBJECTS_MAX, `At most ${RESTORE_OBJECTS_MAX} objects.`),
    connectionCount: z
      .int("Write a whole number.")
      .min(1, "At least one connection.")
      .max(RESTORE_CONNECTIONS_MAX, `At most ${RESTORE_CONNECTIONS_MAX} connections.`),
    fromMs: instantMs,
    toMs: instantMs,
  })
  .refine(isPeriod, periodIssue);
export type BenchmarkRestoreQuestion = z.output<typeof benchmarkRestoreInput>;

/** How long downloading so many objects from an endpoint would take, by the downloads that were measured. */
export interface BenchmarkRestoreTime {
  endpoint: BenchmarkEndpointRef;
  /** Over how many connections the downloads were measured. */
  measuredConnectionCount: number;
  runCount: number;
  sampleCount: number;
  failureCount: number;
  /** Null where no download of this size succeeded. */
  seconds: BenchmarkEstimate | null;
  mbPerSecond: BenchmarkEstimate | null;
  isExtrapolated: boolean;
  sentence: string;
}
