/** Drive latency over the duration of a measurement, in steps for a chart. */
import type { DiskCellResult } from "@stashlight/contracts/disk";

type Seconds = DiskCellResult["perSecond"];

/** Limit on the steps in one row of the chart. */
const STEPS_MAX = 240;
/** Shorter measurements do not show a change over time. */
export const OVER_TIME_SECONDS_MIN = 30;

/** Step length in seconds with which the longest measurement fits into a row. */
export const chartStepSeconds = (measured: readonly Seconds[]): number =>
  Math.max(1, Math.ceil(Math.max(0, ...measured.map(({ iops }) => iops.length)) / STEPS_MAX));

/** Mean latency of all requests that ended in each step, in microseconds; null for a step without requests. */
export function latencySteps({ iops, meanUs }: Seconds, stepSeconds: number): (number | null)[] {
  return Array.from({ length: Math.ceil(iops.length / stepSeconds) }, (_, step) => {
    const from = step * stepSeconds;
    const counts = iops.slice(from, from + stepSeconds);
    const ended = counts.reduce((sum, count) => sum + count, 0);
    if (ended === 0) return null;
    return counts.reduce((sum, count, i) => sum + count * (meanUs[from + i] ?? 0), 0) / ended;
  });
}
