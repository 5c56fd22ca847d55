/** Parameters of a backup, and the number of blocks and requests that follow from them. */
import { z } from "zod";
import { COMPARED_BYTES_IN_FLIGHT_MAX } from "../legs.ts";

const BLOCK_COUNT_MAX = 100_000;
const DATA_BYTES_MAX = 100e9;
/** Sixteen machines with the default number of connections. */
const CONNECTION_COUNT_MAX = 320;

const fields = z.strictObject({
  /** Size of each machine's data set. */
  dataBytes: z.int().min(1).max(DATA_BYTES_MAX, "A data set can have at most 100 GB.").default(268_435_456),
  blockBytes: z.int().min(4096, "A block must have at least 4 KiB.").max(16_777_216).default(262_144),
  /** Connections per machine. */
  connectionCount: z.int().min(1).max(64).default(20),
  /** Share of blocks that repeat an earlier block of the same machine. */
  duplicateShare: z.number().min(0).max(0.99).default(0),
  /** Machines that are backed up at the same time, each with its own data set. */
  machineCount: z.int().min(1).max(16).default(1),
  incrementalCount: z.int().min(0).max(30).default(0),
  /** Share of a machine's blocks that get new content at each incremental. */
  changedShare: z.number().min(0.01).max(1).default(0.05),
  mergesAfter: z.boolean().default(false),
  restoresWhileWriting: z.boolean().default(false),
  windowHours: z.number().min(1).max(24).default(8),
  /** Bytes that all machines together have to back up, used only for the extrapolation. */
  protectedBytes: z.int().min(1).max(1e15, "The extrapolation is to at most 1 PB.").default(1e12),
  timeoutMs: z.int().min(100).max(600_000).default(60_000),
});
export type BackupParameters = z.infer<typeof fields>;

export const backupParameters = fields
  .refine(({ dataBytes, blockBytes }) => dataBytes / blockBytes <= BLOCK_COUNT_MAX, {
    error: "A data set can have at most 100,000 blocks: choose larger ones.",
    path: ["blockBytes"],
  })
  .refine(({ machineCount, connectionCount }) => machineCount * connectionCount <= CONNECTION_COUNT_MAX, {
    error: `All machines together can have at most ${CONNECTION_COUNT_MAX} connections: choose fewer for each.`,
    path: ["connectionCount"],
  })
  .refine((parameters) => backupCounts(parameters).uploadCount <= BLOCK_COUNT_MAX, {
    error:
      "All backups of all machines together upload at most 100,000 blocks: choose larger blocks or less data.",
    path: ["blockBytes"],
  })
  .refine(
    (parameters) =>
      backupCounts(parameters).uploadCount * parameters.blockBytes <= largestUploadBytes(parameters),
    {
      error:
        "All backups of all machines together upload at most 100 GB: choose less data or fewer incrementals.",
      path: ["dataBytes"],
    },
  )
  .refine(
    ({ restoresWhileWriting, connectionCount, blockBytes }) =>
      !restoresWhileWriting || connectionCount * blockBytes <= COMPARED_BYTES_IN_FLIGHT_MAX,
    {
      error: "Blocks that are restored at the same time can have at most 256 MiB: choose fewer connections.",
      path: ["connectionCount"],
    },
  )
  .refine(({ mergesAfter, incrementalCount }) => !mergesAfter || incrementalCount > 0, {
    error: "There is nothing to merge without an incremental: choose at least one.",
    path: ["incrementalCount"],
  })
  .describe("Backup");

/** The last block of a data set may extend beyond its end. */
function largestUploadBytes({ blockBytes, machineCount }: BackupParameters): number {
  return DATA_BYTES_MAX + machineCount * blockBytes;
}

export interface BackupCounts {
  /** Places of a machine's data set, each with a block. */
  readonly blockCount: number;
  /** Distinct blocks at these places before the first incremental. */
  readonly distinctCount: number;
  /** Places that an incremental replaces. */
  readonly changedCount: number;
  /** Machines that upload while another machine is restored. */
  readonly writerCount: number;
  /** Blocks that all backups of all machines upload together. */
  readonly uploadCount: number;
}

export function backupCounts({
  dataBytes,
  blockBytes,
  duplicateShare,
  machineCount,
  incrementalCount,
  changedShare,
  restoresWhileWriting,
}: BackupParameters): BackupCounts {
  const blockCount = Math.ceil(dataBytes / blockBytes);
  const distinctCount = Math.max(1, Math.round(blockCount * (1 - duplicateShare)));
  const changedCount = Math.max(1, Math.round(blockCount * changedShare));
  const writerCount = restoresWhileWriting ? machineCount - 1 : 0;
  const uploadCount =
    machineCount * (distinctCount + incrementalCount * changedCount) + writerCount * changedCount;
  return { blockCount, distinctCount, changedCount, writerCount, uploadCount };
}
