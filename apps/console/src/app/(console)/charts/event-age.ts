/** Decides whether counted events are still occurring, and how old the last one is. Pure. */
import type { MetricSeries } from "@stashlight/contracts/metrics/query";
import { MINUTE_MS } from "@stashlight/contracts/time/duration";
import { formatSpan } from "@stashlight/ui";

/** Events are over, and no longer a problem, once the last one is older than this. */
const GOES_ON_MS = 5 * MINUTE_MS;
/** Events that ended this long before the newest window are described in the past tense, with their age. */
const NOW_MS = 10_000;
/** Limit on the age of figures for the present tense. A page reads them once a minute or more often. */
const FRESH_MS = 75_000;

/** Range of a query of the newest events, a little longer than the time for which they go on. */
export const RECENT_MS = GOES_ON_MS + MINUTE_MS;

/** Shown beside a count of events that are over. */
export const OVER = "none in the last 5 min";

interface Windows {
  /** End of the newest window. */
  readonly newestMs: number;
  readonly stepMs: number;
  readonly nowMs: number;
}

export interface EventAge {
  readonly isGoingOn: boolean;
  /** "the last 2 min ago"; null for current events. */
  readonly last: string | null;
}

/** `lastMs` is the end of the last window with an event; null if there was none. */
export function judgeEventAge(lastMs: number | null, { newestMs, stepMs, nowMs }: Windows): EventAge {
  if (lastMs === null) return { isGoingOn: false, last: null };
  const isNow = newestMs - lastMs < Math.max(NOW_MS, stepMs) && nowMs - newestMs < FRESH_MS;
  return {
    isGoingOn: newestMs - lastMs < GOES_ON_MS,
    last: isNow ? null : `the last ${formatSpan(nowMs - lastMs)} ago`,
  };
}

/** Total increase of a counter in its range. */
export const totalIncrease = ({ columns }: MetricSeries): number =>
  columns.kind === "counter" ? columns.increase.reduce((sum, each) => sum + each, 0) : 0;

/** End of the newest point in which a summarised counter grew; null if it did not. */
export function lastIncreaseMs(series: MetricSeries): number | null {
  const { trend } = series;
  const isNewest = trend === undefined ? totalIncrease(series) > 0 : (trend.unfinished ?? 0) > 0;
  if (isNewest || trend === undefined) return isNewest ? (series.endMs.at(-1) ?? null) : null;
  const place = trend.values.findLastIndex((value) => (value ?? 0) > 0);
  return place < 0 ? null : trend.firstEndMs + place * trend.stepMs;
}
