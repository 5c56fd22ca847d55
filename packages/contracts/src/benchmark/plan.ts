/**
 * Schedules of benchmarks. Code, database and HTTP API call them plans, because clients use `planId` and
 * `/api/v1/plans`. Users only read "schedule", because to them a plan is a result of the planner.
 *
 * A schedule names the endpoints to measure, the method, the place and the times. Each occurrence is a slot, named by
 * its planned time; a slot has one run per endpoint, so that runs of the same slot are pairs.
 */
import { z } from "zod";
import { nameSchema } from "../name.ts";
import { type BenchmarkOperation, benchmarkOperations } from "../sample/sample.ts";
import type { BenchmarkStage } from "../sample/stage.ts";
import type { BenchmarkStarts } from "../sample/starts.ts";
import { instantMs } from "../time/instant.ts";

/** The method (packages/benchmark) checks `parameters` and fills in defaults. */
export const benchmarkMethodSchema = z.object({
  name: z.string().min(1).max(60),
  parameters: z.record(z.string(), z.unknown()).default({}),
});
export type BenchmarkMethodChoice = z.infer<typeof benchmarkMethodSchema>;

export const missedPolicies = ["run-late", "skip"] as const;
export type MissedPolicy = (typeof missedPolicies)[number];

const planFields = {
  name: nameSchema(),
  description: z.string().trim().max(1000, "At most 1,000 characters.").default(""),
  endpointIds: z
    .array(z.uuid("There is no such endpoint."))
    .min(1, "Choose at least one endpoint.")
    .max(8, "A schedule can measure at most 8 endpoints.")
    .refine((ids) => new Set(ids).size === ids.length, "An endpoint may be in a schedule only once."),
  method: benchmarkMethodSchema,
  /** Five fields of cron; the form converts "every 6 hours" to them. */
  cron: z
    .string()
    .trim()
    .max(100, "A cron expression can have at most 100 characters.")
    .regex(/^\S+(\s+\S+){4}$/, "Enter five fields of cron, such as 0 */6 * * *."),
  timeZone: z.string().min(1).max(60).default("UTC"),
  /** A slot begins at its planned time plus a random part of this, so that installations do not all start at once. */
  jitterSeconds: z.int().min(0).max(3600, "At most an hour.").default(0),
  /** Decides whether a missed or interrupted slot is run late or skipped. */
  missedPolicy: z.enum(missedPolicies).default("skip"),
  /** Place where it runs: null is the worker beside the console, otherwise a node of role probe. */
  vantageNodeId: z.uuid("There is no such vantage point.").nullable().default(null),
  /** Limit in US dollars per calendar month (UTC), over all endpoints; a slot that would exceed it is skipped. */
  budgetPerMonth: z
    .number("Enter a number.")
    .min(0, "A budget must not be negative.")
    .max(1_000_000)
    .nullable()
    .default(null),
  /** Limit in US dollars per slot, over all endpoints; a slot with a higher estimate is skipped. */
  costPerSlotMax: z
    .number("Enter a number.")
    .min(0, "A limit is not negative.")
    .max(1_000_000)
    .nullable()
    .default(null),
  /** Limit on bytes written to all drives together per calendar month (UTC); a slot that could exceed it is skipped. */
  writtenBytesPerMonth: z
    .number("Enter a number.")
    .min(0, "A limit is not negative.")
    .max(1e18)
    .nullable()
    .default(null),
  isPaused: z.boolean().default(false),
};

export const createBenchmarkPlanInput = z.object(planFields);
export const benchmarkPlanIdInput = z.object({ planId: z.uuid("There is no such benchmark schedule.") });
export const pauseBenchmarkPlanInput = benchmarkPlanIdInput.extend({ isPaused: z.boolean() });
export const updateBenchmarkPlanInput = benchmarkPlanIdInput.extend(planFields);
export const deleteBenchmarkPlanInput = benchmarkPlanIdInput.extend({ name: z.string().max(100) });
/** Estimated cost and next slots of a plan while it is being edited. */
export const previewBenchmarkPlanInput = z.object({
  endpointIds: z.array(z.uuid()).max(8).default([]),
  method: benchmarkMethodSchema,
  cron: z.string().max(100),
  timeZone: z.string().max(60).default("UTC"),
});

export interface BenchmarkCost {
  /** US dollars; null for an endpoint without a price list. */
  perRun: number | null;
  perMonth: number | null;
}

export interface BenchmarkPlanPreview {
  nextRunsAt: Date[];
  /** Slots in 30 days. */
  runsPerMonth: number;
  requestsPerRun: number;
  uploadedBytesPerRun: number;
  downloadedBytesPerRun: number;
  /** Maximum bytes written to a drive; zero for stores. */
  writtenBytesPerRun: number;
  writtenBytesPerMonth: number;
  /** Largest share of a drive's endurance that a month of the plan uses, if the endurance is known. */
  wear: { endpointId: string; endpointName: string; enduranceSharePerMonth: number }[];
  estimatedSeconds: number;
  costs: (BenchmarkCost & { endpointId: string; endpointName: string })[];
}

export const benchmarkRunStates = [
  "queued",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  /** The process that ran it was lost; it is retried by the plan's policy. */
  "interrupted",
  "skipped",
  "imported",
] as const;
export type BenchmarkRunState = (typeof benchmarkRunStates)[number];
/**
 * Measured on a modelled device, produced by a simulation or published by another party; figures are marked wherever
 * they are shown.
 */
export const benchmarkRunLabels = ["measured", "modelled", "simulated", "reference"] as const;
export type BenchmarkRunLabel = (typeof benchmarkRunLabels)[number];

export interface BenchmarkPlanRow {
  id: string;
  name: string;
  description: string;
  endpoints: { id: string; name: string; kind: string }[];
  method: BenchmarkMethodChoice;
  cron: string;
  timeZone: string;
  jitterSeconds: number;
  missedPolicy: MissedPolicy;
  vantage: { nodeId: string | null; name: string };
  budgetPerMonth: number | null;
  costPerSlotMax: number | null;
  /** Estimated cost of a slot at today's prices; null while an endpoint lacks a price list. */
  costPerSlot: number | null;
  /** Null while an endpoint lacks a price list. */
  spentThisMonth: number | null;
  /** Bytes that may be written to drives per month, and bytes written this month; null for plans of stores. */
  writtenBytesPerMonth: number | null;
  writtenBytesThisMonth: number | null;
  isPaused: boolean;
  isBuiltIn: boolean;
  nextRunsAt: Date[];
  lastSlot: BenchmarkSlotRow | null;
}

/** Occurrence of a plan with its runs; skipped ones have the reason. */
export interface BenchmarkSlotRow {
  planId: string;
  plannedAt: Date;
  trigger: "schedule" | "manual";
  /** Earliest start of a queued run. */
  beginsAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  state: BenchmarkRunState;
  outcome: string | null;
  runs: BenchmarkRunRow[];
}

/** Progress of a comparison of two endpoints towards a verdict. */
export interface BenchmarkSlotCount {
  /** Slots measured at both endpoints, the undisturbed ones among them, and the number that a verdict needs. */
  measuredCount: number;
  undisturbedCount: number;
  neededCount: number;
  /** Number of queued or running slots; cancelling the first one cancels those after it too. */
  underWayCount: number;
  /** Earliest start of the first of them; null while one is running, and if there are none. */
  beginsAt: Date | null;
  /** Start of the running slot; null if none is running. */
  runsSince: Date | null;
  /** Number of slots that are neither measured nor in progress. */
  missingCount: number;
  /** Time of the next scheduled slot; null while the plan is paused. */
  nextAt: Date | null;
  /** Duration of a slot: the median of the newest ones, or the method's estimate before there are any. */
  slotSeconds: number;
}

/** Slots queued by "Run until verdict". */
export interface BenchmarkRestQueued {
  queuedCount: number;
  /** Reason why fewer than the missing slots were queued. */
  reason: string | null;
}

export interface BenchmarkRunRow {
  id: string;
  planId: string | null;
  planName: string | null;
  endpointId: string | null;
  endpointName: string;
  method: string;
  vantage: string;
  /** Number of the attempt at the slot, because an interrupted slot may be retried. */
  attempt: number;
  slotAt: Date;
  state: BenchmarkRunState;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** 0 to 1, with a sentence about the current step. */
  progress: number;
  progressText: string | null;
  estimatedEndAt: Date | null;
  outcome: string | null;
  sampleCount: number;
  failureCount: number;
  /** Share of samples during which the client was disturbed; above 5 % the run is contaminated. */
  taggedShare: number | null;
  costEstimate: number | null;
  label: BenchmarkRunLabel;
}

export const benchmarkRunIdInput = z.object({ runId: z.uuid("There is no such run.") });
export const benchmarkGroupInput = benchmarkRunIdInput.extend({
  operation: z.enum(benchmarkOperations),
  sizeBytes: z.int().min(0),
  connectionCount: z.int().min(1).default(1),
});
/** Cancelling ends the whole slot, because its other runs would have no pair for a comparison. */
export const cancelBenchmarkSlotInput = benchmarkPlanIdInput.extend({ plannedAtMs: instantMs });
export const listBenchmarkSlotsInput = z.object({
  planId: z.uuid().optional(),
  fromMs: instantMs,
  toMs: instantMs,
  pageSize: z.int().min(1).max(500).default(100),
});

export const listBenchmarkMarksInput = z.object({
  fromMs: instantMs,
  toMs: instantMs,
  pageSize: z.int().min(1).max(500).default(100),
});

/** A successful slot that loaded a vault; charts of that time mark it. */
export interface BenchmarkMark {
  planId: string;
  planName: string;
  plannedAt: Date;
  startedAt: Date;
  finishedAt: Date;
  /** Vaults that it loaded, to the extent that the vaults behind its endpoints are known. */
  vaults: string[];
}

/** Samples of one figure of a run: an operation at a size, over one number of concurrent connections. */
export interface BenchmarkGroup {
  operation: BenchmarkOperation;
  sizeBytes: number;
  connectionCount: number;
}

/**
 * Latency figures of one group: from the due moment if a rate was requested, otherwise from when the request was
 * written. `n` and `failureCount` count all samples; the rest covers successful samples, and is null if there are none.
 */
export interface BenchmarkGroupRow extends BenchmarkGroup {
  n: number;
  failureCount: number;
  taggedCount: number;
  coldCount: number;
  meanMs: number | null;
  sdMs: number | null;
  minMs: number | null;
  p5Ms: number | null;
  p25Ms: number | null;
  medianMs: number | null;
  p75Ms: number | null;
  p90Ms: number | null;
  p95Ms: number | null;
  maxMs: number | null;
  /** 95 % interval of the median, for correlated samples; null with too few samples. */
  medianLowMs: number | null;
  medianHighMs: number | null;
  /**
   * Number of pings beside the samples that were answered in time, and of those that were late or failed; null if there
   * was none.
   */
  rttCount: number | null;
  rttMissedCount: number | null;
  /** Percentiles of all these pings, with late ones last; null if the rank falls among those. */
  rttMedianMs: number | null;
  rttP95Ms: number | null;
  /** Starts of the operations; null if unknown, as for imported files. */
  starts: BenchmarkStarts | null;
}

/** End of a run, apart from its samples. */
export interface BenchmarkReport {
  /** More samples were tagged than the limit allows. */
  isContaminated: boolean;
  /** Pitfalls that occurred, by name, each with its evidence. */
  flags: { name: string; sentence: string }[];
  /** Figures that are not samples, such as the time of a whole backup; an extrapolation is marked. */
  results: { name: string; value: number; unit: string; label: string; isExtrapolated: boolean }[];
  /** Parts of the run that are reported separately, in order of completion; empty for methods without stages. */
  stages: BenchmarkStage[];
  openedConnectionCount: number | null;
  /** Processor time of the measuring process. */
  cpu: { userMs: number; systemMs: number } | null;
}

/** Cost of a run's stages by the endpoint's present price list. */
export interface BenchmarkStageCosts {
  /** Day of the prices. */
  asOf: string;
  /** In US dollars, by the stage's name. */
  byName: Record<string, number>;
}

/** Run with all evidence behind its figures. */
export interface BenchmarkRunDetails extends BenchmarkRunRow {
  methodChoice: BenchmarkMethodChoice;
  /** True if the run measured a drive, whose cells are read separately. */
  isOfDrive: boolean;
  /** Manifest of the measurement, as the runner reported it when the endpoint had answered. */
  manifest: Record<string, unknown> | null;
  report: BenchmarkReport | null;
  stageCosts: BenchmarkStageCosts | null;
  groups: BenchmarkGroupRow[];
  /** Time when its objects were deleted; null while objects may be left. */
  cleanedAt: Date | null;
  /** Reason why the last attempt to delete them failed. */
  cleanError: string | null;
  /** Time of the next attempt to delete them; null if there is none. */
  cleanAfter: Date | null;
}

/** Place where a plan may run: null is the worker beside the console. */
export interface BenchmarkVantage {
  nodeId: string | null;
  name: string;
  isUsable: boolean;
  /** Reason why it is not available. */
  reason: string | null;
}
