/** How the latency of drives changed while they were measured, in steps that a picture can show. */
import type { DiskCellResult } from "@stashlight/contracts/disk/cell";

type Seconds = DiskCellResult["perSecond"];

/** As many steps as a row of a picture has at most. */
const STEPS_MAX = 240;
/** Shorter measurements say little of a change over time. */
export const OVER_TIME_SECONDS_MIN = 30;

/** The length of a step with which the longest of them fits into a row, in seconds. */
export const stepSecondsOf = (measured: readonly Seconds[]): number =>
  Math.max(1, Math.ceil(Math.max(0, ...measured.map(({ iops }) => iops.length)) / STEPS_MAX));

/** The mean latency of all requests that ended in each step, in microseconds; null where none ended. */
export function latencySteps({ iops, meanUs }: Seconds, stepSeconds: number): (number | null)[] {
  return Array.from({ length: Math.ceil(iops.length / stepSeconds) }, (_, step) => {
    const from = step * stepSeconds;
    const counts = iops.slice(from, from + stepSeconds);
    const ended = counts.reduce((sum, count) => sum + count, 0);
    if (ended === 0) return null;
    return counts.reduce((sum, count, i) => sum + count * (meanUs[from + i] ?? 0), 0) / ended;
  });
}
