/** Each method is a list of cells. */
import { createRandom, shuffled } from "@stashlight/stats";
import type { DiskCell } from "./cell.ts";

const KIB = 1_024;
const MIB = 1_048_576;

export const sweepPresets = ["quick", "full"] as const;
export type SweepPreset = (typeof sweepPresets)[number];

const presets = {
  quick: { blockBytes: [4 * KIB, 64 * KIB, MIB], secondsMax: 10, roundSeconds: 1 },
  /** 4 KiB to 16 MiB, as iozone's matrix has them; a round is long enough for a drive's own housekeeping to show. */
  full: {
    blockBytes: Array.from({ length: 13 }, (_, i) => (4 * KIB) << i),
    secondsMax: 60,
    roundSeconds: 5,
  },
} as const satisfies Record<SweepPreset, object>;

const queueDepths = [1, 32];

/** Reads and writes, sequential and random, at each block size and queue depth, in an order that the seed draws. */
export function sweepCells(preset: SweepPreset, seed: number): DiskCell[] {
  const { blockBytes, secondsMax, roundSeconds } = presets[preset];
  const cells = blockBytes.flatMap((bytes) =>
    (["sequential", "random"] as const).flatMap((access) =>
      [1, 0].flatMap((readShare) =>
        queueDepths.map(
          (queueDepth): DiskCell => ({
            access,
            readShare,
            blockBytes: bytes,
            queueDepth,
            secondsMax,
            roundSeconds,
          }),
        ),
      ),
    ),
  );
  const { uint32 } = createRandom(seed);
  return shuffled(cells, () => uint32() / 2 ** 32);
}

/** The volume check: four random reads of 4 KiB to a write, as long as asked, so that the end of a burst is seen. */
export function checkCell(seconds: number, queueDepth: number): DiskCell {
  return {
    access: "random",
    readShare: 0.8,
    blockBytes: 4 * KIB,
    queueDepth,
    secondsMax: seconds,
    roundSeconds: null,
  };
}
