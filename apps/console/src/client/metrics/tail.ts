/** Tail of a histogram as one figure: the highest percentile that its samples allow, and the period that it covers. */
import type { MergedWindows, MetricSeries } from "@stashlight/contracts/metrics/query";
import { formatPeriod } from "../period.ts";

export interface Tail {
  readonly seconds: number;
  /** "p99", "p90 over 4 min". */
  readonly statistic: string;
  /** Sample count. */
  readonly n: number;
  /** End of the newest window included. */
  readonly untilMs: number;
}

/**
 * Combines the fewest newest windows that allow a p99; if the range has too few samples, all of them with the highest
 * percentile that they allow. Takes a series queried with its summary.
 */
export function newestTail(series: MetricSeries | undefined, stepMs: number): Tail | null {
  const newest = series?.summary?.newest;
  if (newest === undefined) return null;
  const { seconds, name } = highestPercentile(newest);
  const spanMs = newest.toMs - newest.fromMs;
  return {
    seconds,
    statistic: spanMs <= stepMs ? name : `${name} over ${formatPeriod(spanMs)}`,
    n: newest.n,
    untilMs: newest.toMs,
  };
}

/**
 * Tail of all windows of a query over `windowMs`, judged as an alert rule with a window of that length does: null if
 * the samples allow no percentile.
 */
export function windowTail(series: MetricSeries | undefined, windowMs: number): Tail | null {
  const whole = series?.summary?.whole;
  if (whole === undefined || whole.p50 === null) return null;
  const { seconds, name } = highestPercentile(whole);
  return { seconds, statistic: `${name} over ${formatPeriod(windowMs)}`, n: whole.n, untilMs: whole.toMs };
}

function highestPercentile({ p99, p90, p50, max }: MergedWindows): { seconds: number; name: string } {
  if (p99 !== null) return { seconds: p99, name: "p99" };
  if (p90 !== null) return { seconds: p90, name: "p90" };
  return p50 === null ? { seconds: max, name: "slowest" } : { seconds: p50, name: "p50" };
}
