/** Shared parts of the methods that measure drives: their common parameters, and a plan from their cells. */

import type { DiskCell } from "@stashlight/contracts/disk";
import type { BenchmarkOperation } from "@stashlight/contracts/sample";
import { z } from "zod";
import type { DriveWork, MethodPlan } from "../method.ts";

const MIB = 1_048_576;
const GIB = 1_073_741_824;
const FILE_BYTES_MIN = 64 * MIB;
const FILE_BYTES_MAX = 1_024 * GIB;
/** Blocks of up to 16 MiB have to divide the file evenly. */
const FILE_STEP_BYTES = 16 * MIB;
/** Rate at which the estimate assumes that the test file is written: that of a slow hard disk. */
const FILL_BYTES_PER_SECOND = 100 * MIB;

export const blockBytes = z
  .int()
  .min(512)
  .max(16 * MIB)
  .multipleOf(512, "A block must be a multiple of 512 B.");

export const driveParameters = {
  fileBytes: z
    .int()
    .min(FILE_BYTES_MIN, "The test file must have at least 64 MiB.")
    .max(FILE_BYTES_MAX, "The test file can have at most 1,024 GiB.")
    .multipleOf(FILE_STEP_BYTES, "The size of the test file must be a multiple of 16 MiB.")
    .default(GIB),
  writtenBytesMax: z
    .int()
    .min(FILE_BYTES_MIN)
    .max(1_024 * FILE_BYTES_MAX)
    .default(200 * GIB),
  tool: z.enum(["auto", "fio", "stashlight"]).default("auto"),
  isBuffered: z.boolean().default(false),
  isBesideVault: z.boolean().default(false),
};

type Common = z.output<z.ZodObject<typeof driveParameters>>;

/** A limit below the file's size could not be met. */
export const isWithinLimit = ({ fileBytes, writtenBytesMax }: Common): boolean =>
  writtenBytesMax >= fileBytes;
export const limitIssue = {
  path: ["writtenBytesMax"],
  message: "The limit of written bytes must be at least the size of the test file.",
};

export const commonWork = (parameters: Common) => ({
  fileBytes: parameters.fileBytes,
  writtenBytesMax: parameters.writtenBytesMax,
  isDirect: !parameters.isBuffered,
  tool: parameters.tool,
  isBesideVault: parameters.isBesideVault,
});

export function drivePlan({
  cells,
  runCount,
  coolDownSeconds,
  fileBytes,
  writtenBytesMax,
}: DriveWork): MethodPlan {
  const measured = cells.reduce((sum, { secondsMax }) => sum + secondsMax, 0) * runCount;
  const pauses = Math.max(0, cells.length * runCount - 1) * coolDownSeconds;
  const hasWrites = cells.some(({ readShare }) => readShare < 1);
  return {
    legs: cells.map((cell) => ({
      operation: cellOperation(cell),
      sizeBytes: cell.blockBytes,
      connectionCount: cell.queueDepth,
      sampleCount: null,
      secondsMax: cell.secondsMax,
    })),
    estimate: {
      requests: { put: 0, get: 0, head: 0, delete: 0, list: 0 },
      uploadedBytes: 0,
      downloadedBytes: 0,
      storedBytes: 0,
      writtenBytes: hasWrites ? writtenBytesMax : fileBytes,
      seconds: measured + pauses + fileBytes / FILL_BYTES_PER_SECOND,
      isUpperBound: true,
    },
  };
}

/** Operation of the cell's samples; MIXED if it both reads and writes. */
export function cellOperation({ access, readShare, syncsWrites }: DiskCell): BenchmarkOperation {
  if (readShare > 0 && readShare < 1) return "MIXED";
  if (readShare === 1) return access === "random" ? "RANDOM_READ" : "READ";
  if (syncsWrites) return "SYNC";
  return access === "random" ? "RANDOM_WRITE" : "WRITE";
}
