import type { DiskCell } from "@stashlight/contracts/disk";

/** Upper bound of a measurement's cost. The bytes written depend on the drive, whose speed is unknown beforehand. */
export interface DiskEstimate {
  readonly seconds: number;
  /** Bytes of the test file alone; cells that write add to this. */
  readonly fileBytes: number;
  readonly hasWrites: boolean;
}

export function estimateCells(
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
