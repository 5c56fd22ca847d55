/**
 * Schedules of benchmarks, which code, database and HTTP API call plans, as clients use `planId` and
 * `/api/v1/plans`. People only ever read "schedule": a plan is what the planner makes.
 *
 * A schedule says which endpoints are measured with which method, from where and when. Each occurrence is a slot, named by its
 * planned time; a slot has one run an endpoint, so that runs of the same slot are pairs.
 */
import { z } from "zod";
import { instantMs } from "../time/instant.ts";
import { type BenchmarkOperation, benchmarkOperations } from "./sample.ts";
import type { BenchmarkStage } from "./stage.ts";
import type { BenchmarkStarts } from "./starts.ts";

/** `parameters` are those of the method (packages/benchmark), which checks them and fills in what is left out. */
export const benchmarkMethodSchema = z.object({
  name: z.string().min(1).max(60),
  parameters: z.record(z.string(), z.unknown()).default({}),
});
export type BenchmarkMethodChoice = z.infer<typeof benchmarkMethodSchema>;

export const missedPolicies = ["run-late", "skip"] as const;
export type MissedPolicy = (typeof missedPolicies)[number];

const planFields = {
  name: z.string().trim().min(1, "Give the schedule a name.").max(100, "A name has at most 100 characters."),
  description: z.string().trim().max(1000, "At most 1,000 characters.").default(""),
  endpointIds: z
    .array(z.uuid("There is no such endpoint."))
    .min(1, "Choose at least one endpoint.")
    .max(8, "A schedule measures at most 8 endpoints.")
    .refine((ids) => new Set(ids).size === ids.length, "An endpoint stands in a schedule once."),
  method: benchmarkMethodSchema,
  /** Five fields of cron; "every 6 hours" of the form is turned into them. */
  cron: z
    .string()
    .trim()
    .max(100, "A cron expression has at most 100 characters.")
    .regex(/^\S+(\s+\S+){4}$/, "Write five fields of cron, such as 0 */6 * * *."),
  timeZone: z.string().min(1).max(60).default("UTC"),
  /** A slot begins at its planned time and a random part of this, so that installations do not begin as one. */
  jitterSeconds: z.int().min(0).max(3600, "At most an hour.").default(0),
  /** Decides whether a slot that was missed or interrupted is run late, or skipped. */
  missedPolicy: z.enum(missedPolicies).default("skip"),
  /** Where it runs: null is the worker beside the console, otherwise a node of role probe. */
  vantageNodeId: z.uuid("There is no such vantage point.").nullable().default(null),
  /** In US dollars a calendar month (UTC), over all endpoints; a slot that would pass it is skipped. */
  budgetPerMonth: z
    .number("Write a number.")
    .min(0, "A budget is not negative.")
    .max(1_000_000)
    .nullable()
    .default(null),
  /** In US dollars a slot, over all endpoints; a slot that is estimated to cost more is skipped. */
  costPerSlotMax: z
    .number("Write a number.")
    .min(0, "A limit is not negative.")
    .max(1_000_000)
    .nullable()
    .default(null),
  /** Bytes that drives may be written a calendar month (UTC), all of them together; a slot that could pass it is skipped. */
  writtenBytesPerMonth: z
    .number("Write a number.")
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
/** What a plan would cost and when it would run, while it is being written. */
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
  /** How often it is due in 30 days. */
  runsPerMonth: number;
  requestsPerRun: number;
  uploadedBytesPerRun: number;
  downloadedBytesPerRun: number;
  /** What a drive is written at most; zero for stores. */
  writtenBytesPerRun: number;
  writtenBytesPerMonth: number;
  /** The share of a drive's endurance that a month of the plan takes at most, where the endurance is known. */
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
  /** The process that ran it was lost; it is tried again by the plan's policy. */
  "interrupted",
  "skipped",
  "imported",
] as const;
export type BenchmarkRunState = (typeof benchmarkRunStates)[number];
/** Measured on a modelled device, made by a simulation or published by somebody; every surface with its figures says so. */
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
  /** What a slot is estimated to cost at today's prices; null while an endpoint without a price list leaves it unknown. */
  costPerSlot: number | null;
  /** Null while an endpoint without a price list leaves it unknown. */
  spentThisMonth: number | null;
  /** Bytes that drives may be written a month, and were written this month; null for plans of stores. */
  writtenBytesPerMonth: number | null;
  writtenBytesThisMonth: number | null;
  isPaused: boolean;
  isBuiltIn: boolean;
  nextRunsAt: Date[];
  lastSlot: BenchmarkSlotRow | null;
}

/** An occurrence of a plan with the runs in it; skipped ones say why. */
export interface BenchmarkSlotRow {
  planId: string;
  plannedAt: Date;
  trigger: "schedule" | "manual";
  /** The moment before which a queued run does not begin. */
  beginsAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  state: BenchmarkRunState;
  outcome: string | null;
  runs: BenchmarkRunRow[];
}

/** How far a comparison of two endpoints is from a verdict. */
export interface BenchmarkSlotCount {
  /** Slots with figures of both, those of them that are undisturbed, and how many of these a verdict needs. */
  measuredCount: number;
  undisturbedCount: number;
  neededCount: number;
  /** Slots that wait or run; the first of them can be cancelled with all that wait behind it. */
  underWayCount: number;
  /** Slots that are neither measured nor under way. */
  missingCount: number;
  /** When the schedule measures the next one; null while the plan is paused. */
  nextAt: Date | null;
  /** How long a slot takes: the median of the newest ones, or the method's estimate before there are any. */
  slotSeconds: number;
}

/** What "Run until verdict" queued. */
export interface BenchmarkRestQueued {
  queuedCount: number;
  /** Why fewer than the missing slots were queued. */
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
  /** The attempt at the slot: a slot that was interrupted may be tried again. */
  attempt: number;
  slotAt: Date;
  state: BenchmarkRunState;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** 0 to 1, with the sentence of what is under way. */
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
/** Cancelling ends the whole slot: what is left of it could be compared with nothing. */
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

/** A slot that loaded a vault and ended well, as charts of that time mark it. */
export interface BenchmarkMark {
  planId: string;
  planName: string;
  plannedAt: Date;
  startedAt: Date;
  finishedAt: Date;
  /** The vaults it loaded, as far as Stashlight knows which vault an endpoint belongs to. */
  vaults: string[];
}

/** One figure's samples of a run: an operation at a size, over so many connections at the same time. */
export interface BenchmarkGroup {
  operation: BenchmarkOperation;
  sizeBytes: number;
  connectionCount: number;
}

/**
 * Figures of the latency of one group: from the moment that was due where a rate was asked for, otherwise from when the
 * request was written. `n` and `failureCount` count all samples; the rest is of those that did not fail,
 * and null where there are none.
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
  /** 95 % interval of the median, for correlated samples; null with too few of them. */
  medianLowMs: number | null;
  medianHighMs: number | null;
  /** Pings beside the samples that were answered in time, and those that were late or failed; null where none was made. */
  rttCount: number | null;
  rttMissedCount: number | null;
  /** Ranks of all these pings, with the late ones last; null where the figure lies among those. */
  rttMedianMs: number | null;
  rttP95Ms: number | null;
  /** Starts of the operations; null where they are not known, as for imported files. */
  starts: BenchmarkStarts | null;
}

/** What a run's end tells besides its samples. */
export interface BenchmarkReport {
  /** More of the samples were tagged than may be. */
  isContaminated: boolean;
  /** Pitfalls that showed, by name, each with what was seen. */
  flags: { name: string; sentence: string }[];
  /** Figures that are not samples, such as the time of a whole backup; an extrapolation says so. */
  results: { name: string; value: number; unit: string; label: string; isExtrapolated: boolean }[];
  /** Parts of the run that are told one by one, in the order of their ends; empty for methods that have none. */
  stages: BenchmarkStage[];
  openedConnectionCount: number | null;
  /** Processor time of the process that measured. */
  cpu: { userMs: number; systemMs: number } | null;
}

/** What the stages of a run cost by the price list that the endpoint has today. */
export interface BenchmarkStageCosts {
  /** The day of the prices. */
  asOf: string;
  /** In US dollars, by the stage's name. */
  byName: Record<string, number>;
}

/** A run with all that stands behind its figures. */
export interface BenchmarkRunDetails extends BenchmarkRunRow {
  methodChoice: BenchmarkMethodChoice;
  /** It measured a drive, whose cells are read apart. */
  isOfDrive: boolean;
  /** How it was measured, as the runner told when the endpoint had answered. */
  manifest: Record<string, unknown> | null;
  report: BenchmarkReport | null;
  stageCosts: BenchmarkStageCosts | null;
  groups: BenchmarkGroupRow[];
  /** When the objects that it made were deleted; null while some may be left. */
  cleanedAt: Date | null;
  /** Why they could not be deleted the last time. */
  cleanError: string | null;
  /** When deleting them is tried again; null if it is not. */
  cleanAfter: Date | null;
}

/** Where a plan may run: null is the worker beside the console. */
export interface BenchmarkVantage {
  nodeId: string | null;
  name: string;
  isUsable: boolean;
  /** Why it is not. */
  reason: string | null;
}
