/**
 * Backup: a data set in fixed blocks over many connections, each block under a key made of its content, so that one
 * that is there already is not uploaded again. What counts is the time of the whole.
 */
import { z } from "zod";
import type { UploadBody } from "../run/bodies.ts";
import { CHECKED_KEY_COUNT, estimateOf, runOperations } from "./legs.ts";
import type { Method, MethodResult } from "./method.ts";

const backupParameters = z
  .strictObject({
    dataBytes: z.int().min(1).max(100e9, "A data set has at most 100 GB.").default(268_435_456),
    blockBytes: z.int().min(4096, "A block has at least 4 KiB.").max(16_777_216).default(262_144),
    connectionCount: z.int().min(1).max(64).default(20),
    /** Share of blocks that are the same as an earlier one. */
    duplicateShare: z.number().min(0).max(0.99).default(0),
    timeoutMs: z.int().min(100).max(600_000).default(60_000),
  })
  .refine(({ dataBytes, blockBytes }) => dataBytes / blockBytes <= 100_000, {
    error: "A data set has at most 100,000 blocks: choose larger ones.",
    path: ["blockBytes"],
  })
  .describe("Backup");
export type BackupParameters = z.infer<typeof backupParameters>;

const TERABYTE = 1e12;

export const backup: Method<BackupParameters> = {
  name: "backup",
  version: 1,
  title: "Backup",
  description:
    "A data set in fixed blocks over many connections, with deduplicated keys: total time, MB/s, and what 1 TB would take.",
  parameters: backupParameters,
  usesStore: true,
  presets: [
    { name: "small-blocks", title: "Backup: 256 MiB in blocks of 256 KiB", parameters: {} },
    {
      name: "deduplicated",
      title: "Backup: 256 MiB in blocks of 256 KiB, half of them known",
      parameters: { duplicateShare: 0.5 },
    },
  ],
  plan: (parameters) => {
    const { distinctCount } = countsOf(parameters);
    const { blockBytes, connectionCount } = parameters;
    const uploadedBytes = (distinctCount + connectionCount) * blockBytes;
    const leg = {
      operation: "PUT",
      sizeBytes: blockBytes,
      connectionCount,
      sampleCount: distinctCount,
      secondsMax: null,
    } as const;
    const estimate = estimateOf({ putCount: distinctCount + connectionCount, uploadedBytes, seconds: 0 });
    return { legs: [leg], estimate: { ...estimate, seconds: estimate.seconds / connectionCount } };
  },
  run: async (session, parameters, signal) => {
    const { blockBytes, connectionCount, timeoutMs } = parameters;
    const { blockCount, distinctCount } = countsOf(parameters);
    session.configure({ timeoutMs, attemptCountMax: 1 });
    session.say("Making the data set");
    const distinct = await session.createBlocks(blockBytes, distinctCount);
    const blocks = blocksOf(session.shuffle, distinct, blockCount);
    session.expect(distinctCount);
    await session.prepareBodies([blockBytes]);
    session.say("Opening connections");
    for (let connection = 0; connection < connectionCount; connection += 1) {
      await session.warmUp(
        { operation: "PUT", sizeBytes: blockBytes, leg: 0, connection, pauseMs: 0 },
        signal,
      );
    }
    session.say("Backing up");
    const failedBefore = session.failureCount;
    const startedAt = performance.now();
    const uploads = function* () {
      const known = new Set<string>();
      for (const body of blocks) {
        if (known.has(body.sha256Hex)) continue;
        known.add(body.sha256Hex);
        yield { operation: "PUT" as const, sizeBytes: blockBytes, leg: 0, body, keyName: body.sha256Hex };
      }
    };
    await runOperations(
      session,
      { operations: uploads(), connectionCount, pauseMs: 0, ratePerSecond: null },
      signal,
    );
    const totalMs = performance.now() - startedAt;
    await session.checkStored(CHECKED_KEY_COUNT, signal);
    return resultsOf({
      totalMs,
      dataBytes: blockCount * blockBytes,
      uploadedBytes: distinctCount * blockBytes,
      failedCount: session.failureCount - failedBefore,
    });
  },
};

function countsOf({ dataBytes, blockBytes, duplicateShare }: BackupParameters) {
  const blockCount = Math.ceil(dataBytes / blockBytes);
  return { blockCount, distinctCount: Math.max(1, Math.round(blockCount * (1 - duplicateShare))) };
}

/** Every distinct block once and the rest again, in a random order. */
function blocksOf(
  shuffle: <T>(items: readonly T[]) => T[],
  distinct: readonly UploadBody[],
  blockCount: number,
): UploadBody[] {
  const order = Array.from(
    { length: blockCount },
    (_, index) => distinct[index % distinct.length] as UploadBody,
  );
  return shuffle(order);
}

function resultsOf({
  totalMs,
  dataBytes,
  uploadedBytes,
  failedCount,
}: {
  totalMs: number;
  dataBytes: number;
  uploadedBytes: number;
  failedCount: number;
}): MethodResult[] {
  const seconds = totalMs / 1000;
  const failed = failedCount === 0 ? "" : `; ${failedCount} uploads failed, so the backup is not whole`;
  return [
    { name: "total", value: totalMs, unit: "ms", label: `Whole backup${failed}`, isExtrapolated: false },
    {
      name: "throughput/data",
      value: dataBytes / 1e6 / seconds,
      unit: "MB/s",
      label: `Data set over total time, blocks that were known already included${failed}`,
      isExtrapolated: false,
    },
    {
      name: "throughput/uploaded",
      value: uploadedBytes / 1e6 / seconds,
      unit: "MB/s",
      label: `Bytes uploaded over total time${failed}`,
      isExtrapolated: false,
    },
    {
      name: "terabyte",
      value: (seconds * TERABYTE) / dataBytes,
      unit: "s",
      label: `1 TB at this pace: extrapolated from ${(dataBytes / 1e6).toFixed(0)} MB, not measured${failed}`,
      isExtrapolated: true,
    },
  ];
}
