/** Decides whether counted events are still occurring, and how old the last one is. Pure. */
import type { MetricSeries } from "@stashlight/contracts/metrics/query";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { formatSpan } from "@stashlight/ui";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";

/** Events count as past, and no longer as a problem, once the last one is older than this. */
const GOES_ON_MS = 5 * MINUTE_MS;
/** Events that ended this long before the newest window are described in the past tense, with their age. */
const NOW_MS = 10_000;
/** Limit on the age of figures for the present tense. A page reads them once a minute or more often. */
const FRESH_MS = 75_000;

/** Range of a query for the newest events, a little longer than the time for which they count as ongoing. */
const RECENT_MS = GOES_ON_MS + MINUTE_MS;
/** Enough for a point per window of agents, so that ages are known to within five seconds. */
const RECENT_POINT_COUNT = 72;

/** Queries the newest events of a counter, window by window. */
export const recentEvents = (selection: MetricSelection): MetricSelection => ({
  ...selection,
  lastMs: RECENT_MS,
  trend: { pointCountMax: RECENT_POINT_COUNT, ofGauge: "max" },
});

/** Shown beside a count of past events. */
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

/** Point in time at which an event happened. */
export interface EventPoint {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Judges the last point with an event; null if there was none. Counts the age from the point's start, because a page
 * shows it until its next reading.
 */
export function judgeEventAge(last: EventPoint | null, { newestMs, stepMs, nowMs }: Windows): EventAge {
  if (last === null) return { isGoingOn: false, last: null };
  const { startMs, endMs } = last;
  const isNow = newestMs - endMs < Math.max(NOW_MS, stepMs) && nowMs - newestMs < FRESH_MS;
  return {
    isGoingOn: newestMs - endMs < GOES_ON_MS,
    last: isNow ? null : `the last ${formatSpan(nowMs - startMs)} ago`,
  };
}

/** Total increase of a counter in its range. */
export const totalIncrease = ({ columns }: MetricSeries): number =>
  columns.kind === "counter" ? columns.increase.reduce((sum, each) => sum + each, 0) : 0;

/** Newest point in which a summarised counter grew; null if it did not. */
export function lastIncrease(series: MetricSeries): EventPoint | null {
  const { trend } = series;
  const newestMs = series.endMs.at(-1);
  if (trend === undefined) {
    return newestMs !== undefined && totalIncrease(series) > 0
      ? { startMs: newestMs, endMs: newestMs }
      : null;
  }
  const { values, firstEndMs, stepMs, unfinished = 0 } = trend;
  if (unfinished > 0 && newestMs !== undefined) {
    return { startMs: firstEndMs + (values.length - 1) * stepMs, endMs: newestMs };
  }
  const place = values.findLastIndex((value) => (value ?? 0) > 0);
  const endMs = firstEndMs + place * stepMs;
  return place < 0 ? null : { startMs: endMs - stepMs, endMs };
}

/** Returns the later of two points with an event. */
export const laterEvent = (a: EventPoint | null, b: EventPoint | null): EventPoint | null =>
  a === null || b === null ? (a ?? b) : a.endMs >= b.endMs ? a : b;
