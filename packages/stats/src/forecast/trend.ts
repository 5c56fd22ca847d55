/** Growth of a level and the time when it reaches the capacity, both with intervals. */

import { median } from "../sorted.ts";
import { studentQuantileUpper } from "../student.ts";
import { DAY_MS, HOUR_MS } from "./durations.ts";
import type { Estimate95 } from "./forecast-result.ts";
import type { Levels } from "./levels.ts";
import { findSeason, type Season, WEEK_HOURS } from "./season.ts";

export interface Trend {
  readonly growthPerDay: Estimate95;
  readonly fullInMs: Estimate95;
  readonly spanMs: number;
}

/** The number of pairs grows with the square of the points, and more points do not improve the median. */
const POINT_COUNT_MAX = 42;
const BLOCKS = 8;
const UPPER_TAIL = 0.025;

export interface TrendOptions {
  /** Free capacity at the newest level. */
  readonly left: number;
  /** Horizon of the forecast. */
  readonly reachMs: number;
  /** Season of the earlier time, for levels that are too few for their own season. */
  readonly earlier: Season | null;
}

export function fitTrend(levels: Levels, { left, reachMs, earlier }: TrendOptions): Trend {
  const spanMs = (levels.at(-1)?.atMs ?? 0) - (levels[0]?.atMs ?? 0);
  const value = theilSen(thinned(levels)) * DAY_MS;
  const own = findSeason(levels);
  const season = own ?? earlier;
  const { deviation, freedom } = dailyDeviation(levels, value, spanMs, { own, season });
  const times = studentQuantileUpper(UPPER_TAIL, freedom);
  const reach = (times * deviation) / Math.sqrt(spanMs / DAY_MS);
  const doubt = cycleDoubt(spanMs, value > 0 ? (left / value) * DAY_MS : 0, earlier !== null);
  const growthPerDay = { value, low: (value - reach) / doubt, high: (value + reach) * doubt };
  const fromHour = Math.ceil((levels.at(-1)?.atMs ?? 0) / HOUR_MS);
  const path = { left, season, fromHour, hourCount: Math.ceil(reachMs / HOUR_MS) };
  const walk = times * deviation;
  const fullInMs = {
    value: timeToFull(path, value, 0),
    low: timeToFull(path, growthPerDay.high, walk),
    high: timeToFull(path, growthPerDay.low, -walk),
  };
  return { growthPerDay, fullInMs, spanMs };
}

/** Median of the slopes of all pairs (H. Theil 1950, P. K. Sen 1968): a third of the points may be arbitrary. */
function theilSen(levels: Levels): number {
  const slopes: number[] = [];
  for (let i = 0; i < levels.length; i += 1) {
    for (let j = 0; j < i; j += 1) {
      const [a, b] = [levels[j], levels[i]];
      if (a !== undefined && b !== undefined && b.atMs > a.atMs) {
        slopes.push((b.value - a.value) / (b.atMs - a.atMs));
      }
    }
  }
  return slopes.length === 0 ? 0 : median(slopes);
}

function thinned(levels: Levels): Levels {
  const every = Math.ceil(levels.length / POINT_COUNT_MAX);
  return levels.filter((_, i) => (levels.length - 1 - i) % every === 0);
}

interface Seasons {
  readonly own: Season | null;
  readonly season: Season | null;
}

/**
 * Deviation of a day from the mean growth. Bursts and deletes add up like the steps of a random walk, so a forecast of
 * n days is off by sqrt(n) times this deviation. Steps are whole days if there are enough, because each contains the
 * same daily cycle.
 */
function dailyDeviation(levels: Levels, growthPerDay: number, spanMs: number, { own, season }: Seasons) {
  const stepMs = spanMs >= 3 * DAY_MS ? DAY_MS : spanMs / BLOCKS;
  const above = (atMs: number): number => season?.above(Math.ceil(atMs / HOUR_MS)) ?? 0;
  let [squares, count, from] = [0, 0, 0];
  for (const { atMs, value } of levels) {
    while ((levels[from + 1]?.atMs ?? atMs) <= atMs - stepMs) from += 1;
    const earlier = levels[from];
    const overMs = atMs - (earlier?.atMs ?? atMs);
    if (earlier === undefined || overMs < 0.75 * stepMs) continue;
    const expected = (growthPerDay * overMs) / DAY_MS + above(atMs) - above(earlier.atMs);
    squares += ((value - earlier.value - expected) ** 2 / overMs) * DAY_MS;
    count += 1;
  }
  // The season was computed from the same values, so it explains part of their randomness.
  const isExplained = own !== null && (own.hourCount === WEEK_HOURS || stepMs < DAY_MS);
  const explained = isExplained ? own.repeatCount / (own.repeatCount - 1) : 1;
  return {
    deviation: count === 0 ? 0 : Math.sqrt((squares / count) * explained),
    freedom: Math.max(2, spanMs / stepMs - 1),
  };
}

/**
 * In the first two days, the hours of the history may be unusually busy or quiet; in the first week, the days may be.
 */
function cycleDoubt(spanMs: number, fullInMs: number, isCycleKnown: boolean): number {
  const hour = Math.max(0, 1 - spanMs / (2 * DAY_MS)) ** 2 * Math.min(1, fullInMs / (6 * HOUR_MS));
  const day = spanMs < 7 * DAY_MS ? Math.min(1, fullInMs / DAY_MS) : 0;
  return 1 + (isCycleKnown ? 0.3 : 0.7) * hour + 0.15 * day;
}

interface Path {
  readonly left: number;
  readonly season: Season | null;
  readonly fromHour: number;
  readonly hourCount: number;
}

/**
 * Time when growth, season and a walk of that many daily deviations reach the free capacity. Computed hour by hour,
 * because a season rises and falls; after `hourCount`, by the growth alone.
 */
function timeToFull({ left, season, fromHour, hourCount }: Path, growthPerDay: number, walk: number): number {
  if (growthPerDay <= 0) return Number.POSITIVE_INFINITY;
  const startAbove = season?.above(fromHour) ?? 0;
  let before = 0;
  for (let hour = 1; hour <= hourCount; hour += 1) {
    const days = hour / 24;
    const above = season === null ? 0 : season.above(fromHour + hour) - startAbove;
    const rise = growthPerDay * days + above + walk * Math.sqrt(days);
    if (rise >= left) return (hour - 1 + (left - before) / (rise - before)) * HOUR_MS;
    before = rise;
  }
  // Solves growth * d + walk * sqrt(d) = left for sqrt(d).
  const root = (-walk + Math.sqrt(walk ** 2 + 4 * growthPerDay * left)) / (2 * growthPerDay);
  return Math.max(root ** 2 * 24, hourCount) * HOUR_MS;
}
