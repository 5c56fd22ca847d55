import type { DiskCell } from "@stashlight/contracts/disk/cell";

/** What measuring takes at most. How much is written depends on the drive, which nobody knows before. */
export interface DiskEstimate {
  readonly seconds: number;
  /** The test file alone; the cells that write come on top of it. */
  readonly fileBytes: number;
  readonly hasWrites: boolean;
}

export function estimateOf(
  cells: readonly DiskCell[],
  { fileBytes, coolDownSeconds }: { readonly fileBytes: number; readonly coolDownSeconds: number },
): DiskEstimate {
  const measured = cells.reduce((sum, { secondsMax }) => sum + secondsMax, 0);
  return {
    seconds: measured + Math.max(0, cells.length - 1) * coolDownSeconds,
    fileBytes,
    hasWrites: cells.some(({ readShare }) => readShare < 1),
  };
}
