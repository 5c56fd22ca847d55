/** Reads and writes at every block size and queue depth, which shows the drive's speed under each load. */
import { sweepCells, sweepPresets } from "@stashlight/disk-benchmark/methods";
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

const QUEUE_DEPTH_MAX = 256;
const CELL_COUNT_MAX = 400;

const diskSweepParameters = z
  .strictObject({
    blockSizesBytes: z
      .array(blockBytes)
      .min(1, "Choose at least one block size.")
      .max(16, "A sweep can have at most 16 block sizes.")
      .refine((sizes) => new Set(sizes).size === sizes.length, "Each block size may be listed only once.")
      .default([...sweepPresets.quick.blockSizesBytes]),
    queueDepths: z
      .array(z.int().min(1).max(QUEUE_DEPTH_MAX))
      .min(1, "Choose at least one queue depth.")
      .max(6, "A sweep can have at most 6 queue depths.")
      .refine((depths) => new Set(depths).size === depths.length, "Each queue depth may be listed only once.")
      .default([...sweepPresets.quick.queueDepths]),
    cellSeconds: z.int().min(1).max(3_600).default(sweepPresets.quick.secondsMax),
    roundSeconds: z.int().min(1).max(600).default(sweepPresets.quick.roundSeconds),
    runCount: z.int().min(1).max(10).default(1),
    coolDownSeconds: z.int().min(0).max(600).default(1),
    ...driveParameters,
  })
  .refine(isWithinLimit, limitIssue)
  .refine(
    ({ blockSizesBytes, queueDepths, runCount }) =>
      4 * blockSizesBytes.length * queueDepths.length * runCount <= CELL_COUNT_MAX,
    {
      path: ["runCount"],
      message: `A run can have at most ${CELL_COUNT_MAX} cells; measure fewer sizes or runs.`,
    },
  )
  .describe("Disk sweep");
type DiskSweepParameters = z.infer<typeof diskSweepParameters>;

function sweepWork(parameters: DiskSweepParameters): DriveWork {
  const { blockSizesBytes, queueDepths, cellSeconds, roundSeconds, runCount, coolDownSeconds } = parameters;
  return {
    ...commonWork(parameters),
    cells: sweepCells({ blockSizesBytes, queueDepths, secondsMax: cellSeconds, roundSeconds }),
    runCount,
    isDrawn: true,
    coolDownSeconds,
  };
}

const { quick, full } = sweepPresets;

export const diskSweep: DriveMethod<DiskSweepParameters> = {
  measures: "drives",
  name: "disk-sweep",
  version: 1,
  title: "Disk sweep",
  description:
    "Sequential and random reads and writes at each block size and queue depth, in a drawn order, each until its rate is steady.",
  parameters: diskSweepParameters,
  presets: [
    { name: "quick", title: "Quick: 4 KiB, 64 KiB and 1 MiB", parameters: {} },
    {
      name: "full",
      title: "Full: 4 KiB to 16 MiB, three runs",
      parameters: {
        blockSizesBytes: [...full.blockSizesBytes],
        queueDepths: [...full.queueDepths],
        cellSeconds: full.secondsMax,
        roundSeconds: full.roundSeconds,
        runCount: 3,
        coolDownSeconds: 5,
      },
    },
    {
      // Comparison of providers from 2011: iozone -a -i0 -i1 -i2 -s8G on three machines, three times each.
      name: "providers-2011",
      title: "Comparison of 2011: 4 KiB to 16 MiB, a file of 8 GiB, three runs",
      parameters: {
        blockSizesBytes: [...full.blockSizesBytes],
        queueDepths: [1],
        runCount: 3,
        fileBytes: 8 * 1_073_741_824,
      },
    },
    {
      name: "sweep-short",
      title: "Short: 4 KiB and 1 MiB, 5 s per cell",
      parameters: {
        blockSizesBytes: [quick.blockSizesBytes[0], quick.blockSizesBytes[2]],
        cellSeconds: 5,
        fileBytes: 268_435_456,
      },
    },
  ],
  plan: (parameters) => drivePlan(sweepWork(parameters)),
  work: sweepWork,
};
