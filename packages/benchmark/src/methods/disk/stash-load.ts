/** Load of a shard stash on its SSD: several writers append and sync records while others are read. */
import { stashCells } from "@stashlight/disk-benchmark/methods";
import { z } from "zod";
import type { DriveMethod, DriveWork } from "../method.ts";
import {
  blockBytes,
  commonWork,
  driveParameters,
  drivePlan,
  isWithinLimit,
  limitIssue,
} from "./drive-plan.ts";

const KIB = 1_024;
// Synced appends are measured only by the built-in writer.
const { tool: _, ...parametersOfOwnWriter } = driveParameters;

const stashLoadParameters = z
  .strictObject({
    recordSizesBytes: z
      .array(blockBytes.multipleOf(4 * KIB, "The size of a record must be a multiple of 4 KiB."))
      .min(1, "Choose at least one record size.")
      .max(8, "A run can have at most 8 record sizes.")
      .refine((sizes) => new Set(sizes).size === sizes.length, "Each record size may be listed only once.")
      .default([16 * KIB, 32 * KIB, 64 * KIB]),
    jobCounts: z
      .array(z.int().min(1).max(64))
      .min(1, "Choose at least one number of writers.")
      .max(8, "A run can have at most 8 writer counts.")
      .refine(
        (counts) => new Set(counts).size === counts.length,
        "Each number of writers may be listed only once.",
      )
      .default([1, 4, 16]),
    readShare: z.number().min(0).max(0.9).default(0.2),
    cellSeconds: z.int().min(1).max(3_600).default(10),
    runCount: z.int().min(1).max(10).default(1),
    coolDownSeconds: z.int().min(0).max(600).default(1),
    ...parametersOfOwnWriter,
  })
  .refine((parameters) => isWithinLimit({ ...parameters, tool: "stashlight" }), limitIssue)
  .describe("Stash load");
type StashLoadParameters = z.infer<typeof stashLoadParameters>;

function stashLoadWork(parameters: StashLoadParameters): DriveWork {
  const { recordSizesBytes, jobCounts, readShare, cellSeconds, runCount, coolDownSeconds } = parameters;
  return {
    ...commonWork({ ...parameters, tool: "stashlight" }),
    cells: stashCells({ recordSizesBytes, jobCounts, readShare, secondsMax: cellSeconds }),
    runCount,
    isDrawn: true,
    coolDownSeconds,
  };
}

export const stashLoad: DriveMethod<StashLoadParameters> = {
  measures: "drives",
  name: "stash-load",
  version: 1,
  title: "Stash load",
  description:
    "Records appended and synced by one to many writers at the same time, while others are read: how a stash writes.",
  parameters: stashLoadParameters,
  presets: [{ name: "stash", title: "16 to 64 KiB, 1, 4 and 16 writers, a fifth reads", parameters: {} }],
  plan: (parameters) => drivePlan(stashLoadWork(parameters)),
  work: stashLoadWork,
};
