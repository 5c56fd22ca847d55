/**
 * Forecasts when a store is full, from the history of its level. This is the only forecast of the product: pages, alert
 * rules, the weekly report and the planner show the answer of `forecastFull`, in the words of `describeForecast`.
 */

import { DAY_MS, HOUR_MS } from "./durations.ts";
import type { Forecast, HistoryPoint, NoForecastReason } from "./forecast-result.ts";
import { changedSince, type Levels, levelNow, rollUpHours } from "./levels.ts";
import { newRegimeMs, shortSurge } from "./regime.ts";
import { findSeason, type Season } from "./season.ts";
import { fitTrend, type Trend } from "./trend.ts";

export interface ForecastInput {
  /** Sorted by time. The spacing may vary: points of minutes describe the newest hours in more detail. */
  readonly points: readonly HistoryPoint[];
  /** Capacity in the unit of the points; null if none was reported. */
  readonly capacity: number | null;
  /** Share of its capacity at which the store counts as full; defaults to 1. */
  readonly fullShare?: number;
  /** Multiple of its own length that a history can predict; defaults to that of a store. */
  readonly reachTimes?: number;
  readonly nowMs: number;
}

export const forecastMarks = {
  /** Older points describe a different use of the store. */
  historyMsMax: 28 * DAY_MS,
  /** Longer than a first start, a test or a working morning. */
  spanMsMin: 6 * HOUR_MS,
  /** Below this fill level, a benchmark makes up much of the stored data. */
  shareMin: 0.1,
  /** A history can predict at most this multiple of its own length. */
  reachTimes: 4,
  /** The growth of a store that reports nothing is unknown. */
  ageMsMax: 2 * HOUR_MS,
  /** An estimate that is as likely too early as too late is not worth paging an operator; one at this multiple is. */
  likelyTimes: 1.7,
  /** A forecast whose latest end is this many times as far away is not either: the store may not grow at all. */
  lateTimes: 8,
} as const;

/**
 * Time by which the store is probably full, which pages and alert rules compare with a limit: 0 if it is full, null if
 * there is no forecast.
 */
export function likelyFullInMs(forecast: Forecast): number | null {
  if (forecast.kind === "none") return null;
  if (forecast.kind === "full") return 0;
  const { value, high } = forecast.fullInMs;
  return Math.max(forecastMarks.likelyTimes * value, high / forecastMarks.lateTimes);
}

/**
 * Returns true if there is no forecast because the store will not be full soon, rather than because nothing is known.
 */
export const isFarAway = ({ kind }: NoForecastReason): boolean =>
  kind === "no-growth" || kind === "beyond-reach" || kind === "small-share";

export function forecastFull({
  points,
  capacity,
  fullShare = 1,
  reachTimes = forecastMarks.reachTimes,
  nowMs,
}: ForecastInput): Forecast {
  const none = (reason: NoForecastReason): Forecast => ({ kind: "none", reason });
  if (capacity === null || !(capacity > 0)) return none({ kind: "no-capacity" });
  const sinceMs = nowMs - forecastMarks.historyMsMax;
  const known = points.filter(({ atMs, value }) => atMs > sinceMs && atMs <= nowMs && Number.isFinite(value));
  const newest = known.at(-1);
  if (newest === undefined) return none({ kind: "no-history" });
  const ageMs = nowMs - newest.atMs;
  if (ageMs > forecastMarks.ageMsMax) return none({ kind: "stale", ageMs });
  const level = levelNow(known);
  const full = fullShare * capacity;
  if (level >= full) return { kind: "full" };
  const shortHistory = (spanMs: number, isChange: boolean): Forecast | null => {
    const neededMs = forecastMarks.spanMsMin;
    return spanMs < neededMs ? none({ kind: "short-history", spanMs, neededMs, isChange }) : null;
  };
  const firstMs = known[0]?.atMs ?? newest.atMs;
  const isShort = shortHistory(newest.atMs - firstMs, false);
  if (isShort !== null) return isShort;
  const share = level / capacity;
  if (share < forecastMarks.shareMin) {
    return none({ kind: "small-share", share, neededShare: forecastMarks.shareMin });
  }
  const hours = rollUpHours(known);
  const changeMs = changedSince(hours, capacity);
  const isShortSince = changeMs === null ? null : shortHistory(newest.atMs - changeMs, true);
  if (isShortSince !== null) return isShortSince;
  const startMs = changeMs ?? firstMs;
  const trend = chooseTrend(known, hours, startMs, { full, level, reachTimes });
  const { spanMs: trendMs, growthPerDay, fullInMs } = trend;
  if (growthPerDay.low <= 0) return none({ kind: "no-growth", spanMs: trendMs });
  const reachMs = reachTimes * trendMs;
  if (fullInMs.value > reachMs) return none({ kind: "beyond-reach", spanMs: trendMs, reachMs });
  const sampleCount = known.filter(({ atMs }) => atMs >= newest.atMs - trendMs).length;
  return { kind: "filling", fullInMs, growthPerDay, spanMs: trendMs, sampleCount };
}

/** Takes the newest minutes or days if they differ from the time before, or else all. */
function chooseTrend(
  points: readonly HistoryPoint[],
  hours: Levels,
  startMs: number,
  { full, level, reachTimes }: { full: number; level: number; reachTimes: number },
): Trend {
  const surge = shortSurge(points, hours, full);
  if (surge !== null) {
    const left = full - (surge.at(-1)?.value ?? level);
    const trend = fitTrend(surge, { left, reachMs: DAY_MS, earlier: null });
    if (trend.growthPerDay.low > 0 && trend.fullInMs.value <= forecastMarks.reachTimes * trend.spanMs)
      return trend;
  }
  const regimeMs = newRegimeMs(hours, startMs, full);
  const own = hours.filter(({ atMs }) => atMs >= startMs);
  const left = full - level;
  if (regimeMs === null) return steadyTrend(own, startMs, { left, reachTimes }, null);
  const isBefore = ({ atMs }: HistoryPoint): boolean => atMs <= regimeMs;
  return steadyTrend(own, regimeMs, { left, reachTimes }, findSeason(own.filter(isBefore)));
}

/** Uses whole days if there are any, so that each hour of the day has the same weight. */
function steadyTrend(
  hours: Levels,
  startMs: number,
  { left, reachTimes }: { left: number; reachTimes: number },
  earlier: Season | null,
): Trend {
  const endMs = hours.at(-1)?.atMs ?? startMs;
  const spanMs = endMs - startMs;
  const days = Math.floor(spanMs / DAY_MS);
  const weeks = Math.floor(days / 7);
  const chosenMs = weeks > 0 ? weeks * 7 * DAY_MS : days > 0 ? days * DAY_MS : spanMs;
  return fitTrend(
    hours.filter(({ atMs }) => atMs >= endMs - chosenMs),
    { left, reachMs: reachTimes * chosenMs, earlier },
  );
}
