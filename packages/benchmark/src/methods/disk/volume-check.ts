/**
 * Applies one load for a long time, second by second: shows the limit of a cloud volume, and its speed after a burst.
 */
import { checkCell } from "@stashlight/disk-benchmark/methods";
import { z } from "zod";
import type { DriveMethod, DriveWork } from "../method.ts";
import { commonWork, driveParameters, drivePlan, isWithinLimit, limitIssue } from "./drive-plan.ts";

const SECONDS_MAX = 7_200;

const volumeCheckParameters = z
  .strictObject({
    checkSeconds: z.int().min(1).max(SECONDS_MAX).default(60),
    queueDepths: z
      .array(z.int().min(1).max(1_024))
      .min(1, "Choose at least one queue depth.")
      .max(4, "A check can have at most 4 queue depths.")
      .refine((depths) => new Set(depths).size === depths.length, "Each queue depth may be listed only once.")
      .default([64]),
    levelSeconds: z.int().min(0).max(SECONDS_MAX).default(0),
    restSeconds: z.int().min(0).max(86_400).default(0),
    ...driveParameters,
  })
  .refine(isWithinLimit, limitIssue)
  .refine(({ queueDepths, restSeconds }) => restSeconds === 0 || queueDepths.length === 1, {
    path: ["restSeconds"],
    message: "To show the refill after a rest, check only one queue depth.",
  })
  .describe("Volume check");
type VolumeCheckParameters = z.infer<typeof volumeCheckParameters>;

/** A rate is judged over five rounds. */
const ROUNDS = 5;

function volumeCheckWork(parameters: VolumeCheckParameters): DriveWork {
  const { checkSeconds, queueDepths, levelSeconds, restSeconds } = parameters;
  const roundSeconds = levelSeconds === 0 ? null : Math.max(1, Math.round(levelSeconds / ROUNDS));
  return {
    ...commonWork(parameters),
    cells: queueDepths.map((depth) => checkCell(checkSeconds, depth, roundSeconds)),
    runCount: restSeconds === 0 ? 1 : 2,
    isDrawn: false,
    coolDownSeconds: restSeconds,
  };
}

export const volumeCheck: DriveMethod<VolumeCheckParameters> = {
  measures: "drives",
  name: "volume-check",
  version: 1,
  title: "Volume check",
  description:
    "Four random reads of 4 KiB per write, second by second, so that bursts, caps and other limits show.",
  parameters: volumeCheckParameters,
  presets: [
    {
      name: "check-2020",
      title: "Short: a minute at queue depth 64 and at 1",
      parameters: { queueDepths: [64, 1] },
    },
    {
      name: "check-long",
      title: "Long: two hours, or until level for ten minutes",
      parameters: { checkSeconds: SECONDS_MAX, levelSeconds: 600 },
    },
    {
      name: "check-two-hours",
      title: "Two hours, without an early end",
      parameters: { checkSeconds: SECONDS_MAX },
    },
    {
      name: "check-refill",
      title: "An hour, a rest of half an hour, and an hour: how fast a bucket refills",
      parameters: { checkSeconds: 3_600, restSeconds: 1_800 },
    },
  ],
  plan: (parameters) => drivePlan(volumeCheckWork(parameters)),
  work: volumeCheckWork,
};
