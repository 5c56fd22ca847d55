/** Lists the cells of each method, in the order of tables. */
import type { DiskCell } from "@stashlight/contracts/disk";
import { createRandom, shuffled } from "@stashlight/stats";

const KIB = 1_024;
const MIB = 1_048_576;

export interface SweepLoad {
  readonly blockSizesBytes: readonly number[];
  readonly queueDepths: readonly number[];
  readonly secondsMax: number;
  readonly roundSeconds: number;
}

export const sweepPresets = {
  quick: {
    blockSizesBytes: [4 * KIB, 64 * KIB, MIB],
    queueDepths: [1, 32],
    secondsMax: 10,
    roundSeconds: 1,
  },
  /** 4 KiB to 16 MiB, as in iozone's matrix; a round is long enough for a drive's own housekeeping to show. */
  full: {
    blockSizesBytes: Array.from({ length: 13 }, (_, i) => (4 * KIB) << i),
    queueDepths: [1, 32],
    secondsMax: 60,
    roundSeconds: 5,
  },
} as const satisfies Record<string, SweepLoad>;
export type SweepPreset = keyof typeof sweepPresets;

/** Reads and writes, sequential and random, at each block size and queue depth. */
export function sweepCells({
  blockSizesBytes,
  queueDepths,
  secondsMax,
  roundSeconds,
}: SweepLoad): DiskCell[] {
  return (["sequential", "random"] as const).flatMap((access) =>
    [1, 0].flatMap((readShare) =>
      queueDepths.flatMap((queueDepth) =>
        blockSizesBytes.map(
          (blockBytes): DiskCell => ({
            access,
            readShare,
            blockBytes,
            queueDepth,
            syncsWrites: false,
            secondsMax,
            roundSeconds,
          }),
        ),
      ),
    ),
  );
}

/** Shuffles by the seed, so that a drive's changing state is not confounded with the block size. */
export function inDrawnOrder<Item>(items: readonly Item[], seed: number): Item[] {
  const { uint32 } = createRandom(seed);
  return shuffled(items, () => uint32() / 2 ** 32);
}

/**
 * Volume check: four random reads of 4 KiB per write, for the requested time, so that the end of a burst shows. With
 * rounds, it ends once the rate has been level for five of them.
 */
export function checkCell(seconds: number, queueDepth: number, roundSeconds: number | null = null): DiskCell {
  return {
    access: "random",
    readShare: 0.8,
    blockBytes: 4 * KIB,
    queueDepth,
    syncsWrites: false,
    secondsMax: seconds,
    roundSeconds,
  };
}

export interface StashLoad {
  readonly recordSizesBytes: readonly number[];
  /** Concurrent writers. */
  readonly jobCounts: readonly number[];
  /** Share of requests that read written records. */
  readonly readShare: number;
  readonly secondsMax: number;
}

/** Load of a stash: concurrent jobs append and sync records, while other requests read records. */
export function stashCells({ recordSizesBytes, jobCounts, readShare, secondsMax }: StashLoad): DiskCell[] {
  return jobCounts.flatMap((queueDepth) =>
    recordSizesBytes.map(
      (blockBytes): DiskCell => ({
        access: "sequential",
        readShare,
        blockBytes,
        queueDepth,
        syncsWrites: true,
        secondsMax,
        roundSeconds: null,
      }),
    ),
  );
}
