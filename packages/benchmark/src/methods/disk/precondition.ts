/**
 * Writes a large file repeatedly, so that later measurements show a drive in use rather than a new one (SNIA PTS:
 * sequential blocks of 128 KiB over twice the capacity). This wears the drive, so it is a separate plan and never part
 * of another method. Cloud volumes cannot be purged first, so this method does not purge either.
 */
import { z } from "zod";
import type { DriveMethod, DriveWork } from "../method.ts";
import { commonWork, driveParameters, drivePlan } from "./drive-plan.ts";

const BLOCK_BYTES = 131_072;
const QUEUE_DEPTH = 32;
const SECONDS_MAX = 86_400;
/** Rate of a slow drive, for the time estimate. */
const BYTES_PER_SECOND = 104_857_600;

const { fileBytes, isBesideVault } = driveParameters;
const preconditionParameters = z
  .strictObject({
    fileBytes,
    passCount: z.int().min(1).max(4).default(2),
    isBesideVault,
  })
  .describe("Preconditioning");
type PreconditionParameters = z.infer<typeof preconditionParameters>;

function preconditionWork(parameters: PreconditionParameters): DriveWork {
  const writtenBytesMax = parameters.fileBytes * (1 + parameters.passCount);
  return {
    // fio measures a cell for its whole time; the built-in writer ends it when everything was written.
    ...commonWork({ ...parameters, writtenBytesMax, isBuffered: false, tool: "stashlight" }),
    cells: [
      {
        access: "sequential",
        readShare: 0,
        blockBytes: BLOCK_BYTES,
        queueDepth: QUEUE_DEPTH,
        syncsWrites: false,
        secondsMax: SECONDS_MAX,
        roundSeconds: null,
      },
    ],
    runCount: 1,
    isDrawn: false,
    coolDownSeconds: 0,
  };
}

export const precondition: DriveMethod<PreconditionParameters> = {
  measures: "drives",
  name: "precondition",
  version: 1,
  title: "Preconditioning",
  description:
    "Writes the test file over and over in blocks of 128 KiB, which wears the drive: run it before a sweep of a drive that was hardly used.",
  parameters: preconditionParameters,
  presets: [{ name: "twice", title: "A file of 1 GiB, written over twice", parameters: {} }],
  plan: (parameters) => {
    const work = preconditionWork(parameters);
    const plan = drivePlan(work);
    const { writtenBytesMax } = work;
    return {
      ...plan,
      estimate: {
        ...plan.estimate,
        writtenBytes: writtenBytesMax,
        seconds: writtenBytesMax / BYTES_PER_SECOND,
      },
    };
  },
  work: preconditionWork,
};
