import { z } from "zod";
import {
  type BenchmarkGroupRow,
  type BenchmarkPlanRow,
  type BenchmarkRunRow,
  type BenchmarkSlotRow,
  benchmarkRunLabels,
  benchmarkRunStates,
  missedPolicies,
} from "../benchmark/plan.ts";
import { type BenchmarkLatestVerdict, benchmarkCaveatKinds } from "../benchmark/result.ts";
import { benchmarkOperations } from "../sample/sample.ts";
import { benchmarkStartsSchema } from "../sample/starts.ts";
import {
  answeredAt,
  count,
  instant,
  instantOrNull,
  type Json,
  numberOrNull,
  textOrNull,
} from "./field-schemas.ts";

const operation = z.enum(benchmarkOperations);

const runSchema = z.object({
  id: z.string(),
  planId: textOrNull,
  planName: textOrNull,
  endpointId: textOrNull,
  endpointName: z.string(),
  method: z.string(),
  vantage: z.string().describe("Where it was measured."),
  attempt: count,
  slotAt: instant.describe("Runs of a schedule with the same slot are pairs."),
  state: z.enum(benchmarkRunStates),
  startedAt: instantOrNull,
  finishedAt: instantOrNull,
  progress: z.number().describe("0 to 1."),
  progressText: textOrNull,
  estimatedEndAt: instantOrNull,
  outcome: textOrNull,
  sampleCount: count,
  failureCount: count,
  taggedShare: numberOrNull.describe("Share of samples during which the client was disturbed."),
  costEstimate: numberOrNull.describe("US dollars; null where it is unknown."),
  label: z.enum(benchmarkRunLabels),
}) satisfies z.ZodType<Json<BenchmarkRunRow>>;

const slotSchema = z.object({
  planId: z.string(),
  plannedAt: instant,
  trigger: z.enum(["schedule", "manual"]),
  beginsAt: instantOrNull,
  startedAt: instantOrNull,
  finishedAt: instantOrNull,
  state: z.enum(benchmarkRunStates),
  outcome: textOrNull.describe("Result, or the reason why it was skipped."),
  runs: z.array(runSchema),
}) satisfies z.ZodType<Json<BenchmarkSlotRow>>;

const planSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  endpoints: z.array(z.object({ id: z.string(), name: z.string(), kind: z.string() })),
  method: z.object({ name: z.string(), parameters: z.record(z.string(), z.unknown()) }),
  cron: z.string(),
  timeZone: z.string(),
  jitterSeconds: count,
  missedPolicy: z.enum(missedPolicies),
  vantage: z.object({ nodeId: textOrNull, name: z.string() }),
  budgetPerMonth: numberOrNull,
  costPerSlotMax: numberOrNull,
  costPerSlot: numberOrNull.describe("US dollars; null while it is unknown."),
  spentThisMonth: numberOrNull.describe("US dollars; null while it is unknown."),
  writtenBytesPerMonth: numberOrNull,
  writtenBytesThisMonth: numberOrNull,
  isPaused: z.boolean(),
  isBuiltIn: z.boolean(),
  nextRunsAt: z.array(instant),
  lastSlot: slotSchema.nullable(),
}) satisfies z.ZodType<Json<BenchmarkPlanRow>>;

const groupSchema = z.object({
  operation,
  sizeBytes: count,
  connectionCount: count,
  n: count,
  failureCount: count,
  taggedCount: count,
  coldCount: count,
  meanMs: numberOrNull,
  sdMs: numberOrNull,
  minMs: numberOrNull,
  p5Ms: numberOrNull,
  p25Ms: numberOrNull,
  medianMs: numberOrNull,
  p75Ms: numberOrNull,
  p90Ms: numberOrNull,
  p95Ms: numberOrNull,
  maxMs: numberOrNull,
  medianLowMs: numberOrNull.describe("Lower end of the median's 95 % interval."),
  medianHighMs: numberOrNull,
  rttCount: count.nullable(),
  rttMissedCount: count.nullable(),
  rttMedianMs: numberOrNull,
  rttP95Ms: numberOrNull,
  starts: benchmarkStartsSchema
    .nullable()
    .describe(
      "Start delays of operations: with a rate, the delay after the due time, from which latency is measured; otherwise the pause since the previous operation.",
    ),
}) satisfies z.ZodType<Json<BenchmarkGroupRow>>;

const endpointSchema = z.object({
  id: z.string(),
  name: z.string(),
  label: z.enum(benchmarkRunLabels),
  place: count.nullable(),
});
const estimateSchema = z.object({ value: z.number(), low: numberOrNull, high: numberOrNull });
const ofAllRuns = count.describe("Of all runs in the time range, disturbed ones too.");
const sideSchema = z.object({
  endpoint: endpointSchema,
  runCount: ofAllRuns,
  sampleCount: ofAllRuns,
  failureCount: ofAllRuns,
  taggedCount: ofAllRuns,
  meanMs: estimateSchema.describe("Mean over the compared slots, with its 95 % interval."),
});

const verdictSchema = z.object({
  planId: z.string(),
  planName: z.string(),
  operation,
  sizeBytes: count,
  connectionCount: count,
  sentence: z.string(),
  verdict: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("faster"), which: z.enum(["a", "b"]) }),
    z.object({ kind: z.literal("not distinguishable"), because: z.enum(["interval", "minimum"]) }),
    z.object({ kind: z.literal("unequal success"), better: z.enum(["a", "b"]).nullable() }),
    z.object({ kind: z.literal("leads"), which: z.enum(["a", "b"]), count, countMin: count }),
    z.object({ kind: z.literal("too few runs"), count, countMin: count }),
  ]),
  a: sideSchema,
  b: sideSchema,
  success: z
    .object({ a: z.number(), b: z.number(), slotCount: count, pValue: z.number() })
    .nullable()
    .describe("Shares of requests that succeeded, over the compared slots."),
  slots: z
    .object({ measuredCount: count, undisturbedCount: count, neededCount: count })
    .describe("Below the needed number of undisturbed slots no endpoint is named."),
  pairCount: count.describe("Number of slots behind means, ratio, difference and p-value."),
  ratio: estimateSchema.describe("Mean of a over mean of b, with its 95 % interval for a single look."),
  differenceMs: estimateSchema.describe("Mean of a minus mean of b."),
  pValue: numberOrNull.describe(
    "Of the paired t test, corrected for repeated looks; null without a verdict.",
  ),
  contamination: z.object({ runCount: count, contaminatedCount: count, slotCount: count }).nullable(),
  caveats: z.array(z.object({ kind: z.enum(benchmarkCaveatKinds), count, runCount: count })),
  lastAt: instant.describe("The planned time of the newest slot behind it."),
  lastRunAt: instant.describe("When the newest run behind it ended."),
}) satisfies z.ZodType<Omit<Partial<Json<BenchmarkLatestVerdict>>, "contamination">>;

export const plansAnswer = z.object({ answeredAt, plans: z.array(planSchema) });
export const planAnswer = z.object({ answeredAt, plan: planSchema });
export const verdictAnswer = z.object({
  answeredAt,
  verdict: verdictSchema.nullable().describe("Null where two endpoints share no slot yet."),
  slots: z
    .object({
      sentence: z.string().describe("For example: 4 of 6 slots, none undisturbed."),
      measuredCount: count,
      undisturbedCount: count,
      neededCount: count,
      missingCount: count,
      underWayCount: count,
    })
    .nullable()
    .describe("Progress towards a verdict; null for a schedule of one endpoint."),
});
export const slotsAnswer = z.object({ answeredAt, from: instant, to: instant, slots: z.array(slotSchema) });
export const runAnswer = z.object({
  answeredAt,
  run: runSchema.extend({
    groups: z.array(groupSchema),
    manifest: z.record(z.string(), z.unknown()).nullable().describe("Conditions of the measurement."),
    report: z
      .object({
        isContaminated: z.boolean(),
        flags: z.array(z.object({ name: z.string(), sentence: z.string() })),
      })
      .nullable(),
  }),
});
export const startedAnswer = z.object({ planId: z.string(), slotAt: instant });

export const planPath = z.strictObject({ planId: z.uuid("There is no such benchmark schedule.") });
export const runPath = z.strictObject({ runId: z.uuid("There is no such run.") });
export const listSlotsParameters = z.strictObject({
  planId: z.uuid("There is no such benchmark schedule.").optional(),
  from: z.string().max(40).default("now-7d").describe("An ISO 8601 time, now, or now-6h (s, m, h, d, w)."),
  to: z.string().max(40).default("now").describe("As `from`."),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
