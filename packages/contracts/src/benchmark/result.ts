/**
 * Inputs and results of benchmark comparisons, histories, exports and imports. Durations are milliseconds of `wireMs`.
 */

import { z } from "zod";
import { type BenchmarkOperation, benchmarkOperations } from "../sample/sample.ts";
import { DAY_MS, HOUR_MS } from "../time/duration.ts";
import { instantMs } from "../time/instant.ts";
import { benchmarkExportFormats } from "./export-formats.ts";
import type { BenchmarkRunLabel, BenchmarkSlotCount } from "./plan.ts";

const planId = z.uuid("There is no such benchmark schedule.");
const endpointId = z.uuid("There is no such endpoint.");

/** Limits periods to twenty years, because longer ones are clock errors. */
const PERIOD_MS_MAX = 20 * 366 * DAY_MS;

const subjectFields = {
  planId,
  operation: z.enum(benchmarkOperations),
  sizeBytes: z.int().min(0),
  connectionCount: z.int().min(1).default(1),
  fromMs: instantMs,
  toMs: instantMs,
};
export const isPeriod = ({ fromMs, toMs }: { fromMs: number; toMs: number }): boolean =>
  toMs > fromMs && toMs - fromMs <= PERIOD_MS_MAX;
export const periodIssue = {
  message: "A period must end after it begins and last at most 20 years.",
  path: ["toMs"],
};

export const benchmarkSubjectInput = z.object(subjectFields).refine(isPeriod, periodIssue);
export type BenchmarkSubject = z.output<typeof benchmarkSubjectInput>;

export const benchmarkHistoryInput = z
  .object({
    ...subjectFields,
    /** Number of an endpoint's runs above which they are merged into this many buckets. */
    pointCountMax: z.int().min(50).max(5000).default(1000),
  })
  .refine(isPeriod, periodIssue);

/** Smallest relevant difference: a smaller one may be real but does not matter to a user. */
export const minimumEffectSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("share"),
    share: z.number("Enter a number.").min(0, "At least 0 %.").max(1, "At most 100 %."),
  }),
  z.object({
    kind: z.literal("duration"),
    duration: z.number("Enter a number.").min(0, "At least 0 ms.").max(HOUR_MS, "At most an hour."),
  }),
]);
export type MinimumEffectChoice = z.infer<typeof minimumEffectSchema>;

export const comparisonFields = {
  ...subjectFields,
  endpointAId: endpointId,
  endpointBId: endpointId,
  minimumEffect: minimumEffectSchema.default({ kind: "share", share: 0.05 }),
};
export const isPair = ({ endpointAId, endpointBId }: { endpointAId: string; endpointBId: string }): boolean =>
  endpointAId !== endpointBId;
export const pairIssue = { message: "Choose two different endpoints.", path: ["endpointBId"] };
export const benchmarkComparisonInput = z
  .object(comparisonFields)
  .refine(isPeriod, periodIssue)
  .refine(isPair, pairIssue);
export type BenchmarkComparisonQuestion = z.output<typeof benchmarkComparisonInput>;

/** Operation, size and connection count that a plan has measured; its result pages offer these as choices. */
export interface BenchmarkSubjectChoice {
  operation: BenchmarkOperation;
  sizeBytes: number;
  connectionCount: number;
  runCount: number;
  /** Planned times of the oldest and the newest slot. */
  firstAt: Date;
  lastAt: Date;
  /** End of the newest run, because slots that are queued together run one after another. */
  lastRunAt: Date;
}

export interface BenchmarkEndpointRef {
  id: string;
  name: string;
  /** Set for runs other than measured ones, because readers may take figures of modelled devices for real ones. */
  label: BenchmarkRunLabel;
  /** Rank among all endpoints by age, which determines the colour on every page; null for a deleted endpoint. */
  place: number | null;
}

/** Columns of equal length, with an entry per run or per bucket of runs. */
export interface BenchmarkHistorySeries {
  endpoint: BenchmarkEndpointRef;
  runCount: number;
  /** Start of a run, or end of a bucket. */
  atMs: number[];
  /** Median of a run, or the median of the medians of a bucket's runs; null for a failure. */
  medianMs: (number | null)[];
  /** 95 % interval of a run's median; for a bucket the smallest and largest median of its runs. */
  lowMs: (number | null)[];
  highMs: (number | null)[];
  /** Number of samples. */
  n: number[];
  failureCount: number[];
}

export interface BenchmarkHistory {
  series: BenchmarkHistorySeries[];
  /** Distance between entries: slots, or buckets. */
  stepMs: number;
  isBucketed: boolean;
  events: { atMs: number; label: string; status: "info" | "warning" | "bad" }[];
}

/** Level change of an endpoint's medians. */
export interface BenchmarkChange {
  endpointId: string;
  endpointName: string;
  atMs: number;
  beforeMs: number;
  afterMs: number;
  /** (after - before) / before */
  changeShare: number;
  pValue: number;
}

/** A figure with its 95 % interval, which is null with too few runs. */
export interface BenchmarkEstimate {
  value: number;
  low: number | null;
  high: number | null;
}

export type BenchmarkVerdict =
  | { kind: "faster"; which: "a" | "b" }
  /** "minimum": any difference is too small to matter. "interval": neither that nor a difference is shown. */
  | { kind: "not distinguishable"; because: "interval" | "minimum" }
  /** The success rates differ beyond chance, so the times of successes are not compared. */
  | { kind: "unequal success"; better: "a" | "b" | null }
  /** Ahead by the mean, before there are enough slots for a test. */
  | { kind: "leads"; which: "a" | "b"; count: number; countMin: number }
  | { kind: "too few runs"; count: number; countMin: number };

/** Share of successful requests, as a mean over the compared slots. */
export interface BenchmarkSuccess {
  a: number;
  b: number;
  /** Slots in which both had a run, successful or not. */
  slotCount: number;
  /** Probability of a difference at least this large by chance: the signed-rank test of runs. */
  pValue: number;
}

/** Slots behind a verdict. A slot is measured if both endpoints have a figure. */
export interface BenchmarkSlots {
  measuredCount: number;
  /** Measured slots in which no run is contaminated or drifts. */
  undisturbedCount: number;
  /** Undisturbed slots that a verdict needs. */
  neededCount: number;
}

export interface BenchmarkSide {
  endpoint: BenchmarkEndpointRef;
  /** Counts cover all runs of the side in the time range, paired or not. */
  runCount: number;
  sampleCount: number;
  failureCount: number;
  taggedCount: number;
  /** Mean of the runs in compared slots, on which ratio, difference and shift are based too. */
  meanMs: BenchmarkEstimate;
}

/** Runs with more disturbed samples than `taggedShareMax`; their slots count for no verdict. */
export interface BenchmarkContamination {
  runCount: number;
  contaminatedCount: number;
  /** Contaminated runs with the greatest shares, the greatest first. */
  worst: { endpointName: string; startedMs: number; taggedShare: number }[];
  /** Slots with a contaminated run. */
  slotCount: number;
}

/** Pitfalls that runs showed, and that a reader of the verdict must know. */
export const benchmarkCaveatKinds = [
  "same store",
  "failed",
  "not begun",
  "recomputing",
  "reconnected",
  "few samples",
  "drift",
  "not-stored",
] as const;
export interface BenchmarkCaveat {
  kind: (typeof benchmarkCaveatKinds)[number];
  /** Number of runs that show it, and of all runs in the time range. */
  count: number;
  runCount: number;
}

export interface BenchmarkComparison {
  question: BenchmarkComparisonQuestion;
  planName: string;
  a: BenchmarkSide;
  b: BenchmarkSide;
  slots: BenchmarkSlots;
  /** Number of slots behind the figures, and of slots in which only one of the two has a figure. */
  pairCount: number;
  unpairedCount: number;
  /** Mean of a over mean of b. */
  ratio: BenchmarkEstimate;
  /** Mean of a minus mean of b, in milliseconds. */
  differenceMs: BenchmarkEstimate;
  /** Hodges-Lehmann shift, a's medians minus b's. */
  shiftMs: BenchmarkEstimate;
  /**
   * P-value of the paired t test, corrected for repeated looks after every slot; null if the gate is shut, as are all
   * intervals. Intervals are for a single look, with 95 % each.
   */
  pValue: number | null;
  /** Null in reports of earlier releases. */
  success: BenchmarkSuccess | null;
  /** Reports of earlier releases used a bootstrap, and a test without correction for repeated looks. */
  rule: "paid for looks" | "earlier";
  faster: { which: "a" | "b" | "neither"; words: readonly [lessTime: string, timesAsFast: string] };
  verdict: BenchmarkVerdict;
  sentence: string;
  /** Null if no run is contaminated, and in answers of releases that did not check this. */
  contamination: BenchmarkContamination | null;
  caveats: BenchmarkCaveat[];
  /** Compared slots that were started by hand within an hour of each other, which do not represent the time of day. */
  backToBackCount: number;
  computedAt: Date;
}

/** Percentiles of all samples of the newest runs, as measured, and as seen by a client that does not wait. */
export interface BenchmarkOmissionView {
  endpoint: BenchmarkEndpointRef;
  runCount: number;
  sampleCount: number;
  correctedCount: number;
  /**
   * Usual distance between starts on a connection, taken as the intended pace. Null if no connection had two
   * operations.
   */
  intervalMs: number | null;
  rows: { percentile: string; rawMs: number | null; correctedMs: number | null }[];
}

export const exportBenchmarkRunInput = z.strictObject({
  runId: z.uuid("There is no such run."),
  format: z.enum(benchmarkExportFormats, `A format must be one of ${benchmarkExportFormats.join(", ")}.`),
});

export const benchmarkImportBytesMax = 32 * 2 ** 20;
/** Limit on a file's decompressed text. */
export const benchmarkImportTextBytesMax = 250_000_000;
export const importBenchmarkRunInput = z.strictObject({
  fileName: z
    .string()
    .trim()
    .min(1, "A file has a name.")
    .max(200, "A file's name can have at most 200 characters."),
  endpointName: z.string().trim().max(200, "At most 200 characters.").default(""),
});

/** Result of an import, and the facts missing in the file. */
export interface ImportedBenchmarkRun {
  runId: string;
  name: string;
  tool: string;
  format: string;
  sampleCount: number;
  summaryCount: number;
  notes: string[];
}

const runId = z.uuid("There is no such run.");
const comparableSubject = z.object({
  operation: z.enum(benchmarkOperations),
  sizeBytes: z.int().min(0),
  connectionCount: z.int().min(1).default(1),
});

export const compareBenchmarkRunsInput = comparableSubject
  .extend({ runAId: runId, runBId: runId })
  .refine(({ runAId, runBId }) => runAId !== runBId, {
    message: "Choose two different runs.",
    path: ["runBId"],
  });

/**
 * Basis of a comparison: every sample; bins of a tool's histogram, whose values are known only within their bins; or
 * means of parts of about a second, which vary less than operations.
 */
export type ComparedBy = "samples" | "bins" | "segments";

export interface ComparableSubject extends z.output<typeof comparableSubject> {
  sampleCount: number;
  by: ComparedBy;
}

/** A run with which another run can be compared. */
export interface ComparableRun {
  runId: string;
  name: string;
  /** Plan that measured it, or the tool whose file was imported. */
  origin: string;
  isImported: boolean;
  at: Date;
  subjects: ComparableSubject[];
}

export interface UnpairedSide {
  runId: string;
  name: string;
  by: ComparedBy;
  /** Successful samples. */
  sampleCount: number;
  /** Null if the file lacks it. */
  failureCount: number | null;
  meanMs: number;
  /** Keyed by parts per million; null if there are too few samples. */
  percentilesMs: (readonly [perMillion: number, valueMs: number | null])[];
}

/**
 * Compares two runs by their samples. This is a description without a test, an interval or a winner, because the
 * samples of one run are one occasion. Only the gate of verdicts names winners.
 */
export interface BenchmarkUnpaired {
  a: UnpairedSide;
  b: UnpairedSide;
  /** Shift of medians by Hodges-Lehmann, a minus b. */
  shiftMs: number;
  /** From -1 (every sample of a is below every sample of b) to 1. */
  cliffsDelta: number;
  magnitude: string;
}

/** Newest verdict of a plan's operation and size, for Overview. */
export interface BenchmarkLatestVerdict {
  planId: string;
  planName: string;
  operation: BenchmarkOperation;
  sizeBytes: number;
  connectionCount: number;
  sentence: string;
  verdict: BenchmarkVerdict;
  faster: BenchmarkComparison["faster"];
  a: BenchmarkSide;
  b: BenchmarkSide;
  success: BenchmarkSuccess | null;
  slots: BenchmarkSlots;
  pairCount: number;
  ratio: BenchmarkEstimate;
  differenceMs: BenchmarkEstimate;
  pValue: number | null;
  contamination: BenchmarkContamination | null;
  caveats: BenchmarkCaveat[];
  lastAt: Date;
  /** End of the newest run that the comparison uses. */
  lastRunAt: Date;
}

/** Comparison of a plan's first two endpoints, and its progress towards a verdict; both null with one endpoint. */
export interface BenchmarkPlanVerdict {
  latest: BenchmarkLatestVerdict | null;
  slots: BenchmarkSlotCount | null;
}
