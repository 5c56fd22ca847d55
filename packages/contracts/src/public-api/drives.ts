import { z } from "zod";
import { driveStates } from "../failure-rate/drive-state.ts";
import { importDriveStatsInput, markDriveInput } from "../failure-rate/failure-rate.ts";
import { answeredAt, count, instant, instantOrNull, textOrNull } from "./field-schemas.ts";

const day = z.iso.date();
const rate = z
  .object({ value: z.number(), low: z.number(), high: z.number() })
  .describe("Failures per drive-year with their 95 % interval.");
const counts = { driveDays: count, failures: count };

const modelSchema = z.object({
  model: z.string().describe("Model by which drives are counted; empty for drives that report none."),
  installedCount: count.describe("Drives in use that were seen today or yesterday."),
  published: z
    .object({
      source: z.string(),
      from: day,
      to: day,
      ...counts,
      rate: rate.describe("With the exact Poisson interval of the failures."),
      isImported: z.boolean(),
    })
    .nullable()
    .describe("Counts of another operator: imported ones, or else those that are built in."),
  own: z.object(counts).describe("The fleet's own drives."),
  rate: rate.describe("From all counts together, as used for durability and plans."),
  countedFailures: z.number().describe("Number of failures to which the rate is equivalent."),
  sentence: z.string().describe("The counts behind the rate, with their source."),
});

const driveSchema = z.object({
  id: z.string(),
  model: z.string(),
  serial: z.string(),
  node: z.string(),
  vault: textOrNull,
  device: z.string(),
  state: z.enum(driveStates),
  daysSeen: count,
  firstSeenOn: day,
  lastSeenOn: day,
  isGone: z.boolean().describe("It was seen neither today nor yesterday."),
  markedBy: textOrNull,
  markedAt: instantOrNull,
});

export const slowDriveSchema = z.object({
  node: z.string(),
  drive: z.string(),
  sentence: z.string(),
  since: instant.describe("When the alert began."),
});

const quarterSchema = z.object({
  quarter: z.string(),
  source: z.string(),
  from: day,
  to: day,
  dayCount: count,
  modelCount: count,
  ...counts,
  importedBy: z.string(),
  importedAt: z.iso.datetime(),
});

export const drivesAnswer = z.object({
  answeredAt,
  models: z.array(modelSchema),
  drives: z.array(driveSchema).describe("Longest unseen first; at most 2,000."),
  omittedDriveCount: count,
  quarters: z.array(quarterSchema).describe("Imported counts, the newest first."),
  slowDrives: z
    .array(slowDriveSchema.extend({ vault: z.string() }))
    .default([])
    .describe("Drives of vaults, SSDs included, that are slower than their peers."),
});

export const markDriveBody = markDriveInput;
export const driveMarkedAnswer = z.object({ driveId: z.string() });

export const driveStatsBody = importDriveStatsInput;
export const driveStatsAnswer = z.object({ quarters: z.array(quarterSchema) });
