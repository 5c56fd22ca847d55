/** Newest part of a history if its growth is unlike any before: an import, an outage, the end of growth. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./durations.ts";
import type { HistoryPoint } from "./forecast-result.ts";
import type { Levels } from "./levels.ts";

const WIDTHS_MS = [7, 4, 2, 1, 0.75, 0.5, 0.375, 0.25].map((days) => days * DAY_MS);
/** Minimum number of earlier windows, because the extremes of fewer do not show the usual range. */
const WINDOWS_BEFORE_MIN = 1.5;
/** Minimum ratio of new growth to the greatest growth before; a part of a day may be a burst, and needs more. */
const TIMES_MIN = 1.4;
const TIMES_MIN_OF_HOURS = 1.8;
/** Minimum growth as a share of the capacity; within a part of a day it may be a single large upload. */
const SHARE_MIN = 0.01;
const SHARE_MIN_OF_HOURS = 0.05;

/** Returns the start of the longest recent part that differs; null if the history is uniform. */
export function newRegimeMs(hours: Levels, startMs: number, capacity: number): number | null {
  const own = hours.filter(({ atMs }) => atMs >= startMs);
  const endMs = own.at(-1)?.atMs ?? startMs;
  for (const widthMs of WIDTHS_MS) {
    if ((WINDOWS_BEFORE_MIN + 1) * widthMs > endMs - startMs) continue;
    const fromMs = endMs - widthMs;
    const first = own.findIndex(({ atMs }) => atMs >= fromMs);
    const rise = riseBetween(own, first, own.length - 1);
    const early = riseBetween(
      own,
      first,
      own.findIndex(({ atMs }) => atMs >= fromMs + widthMs / 3),
    );
    const before = risesOver(own.slice(0, first + 1), widthMs);
    if (before.length === 0) continue;
    const [least, most] = [Math.min(...before), Math.max(...before)];
    const [timesMin, shareMin] =
      widthMs < DAY_MS ? [TIMES_MIN_OF_HOURS, SHARE_MIN_OF_HOURS] : [TIMES_MIN, SHARE_MIN];
    const isFaster = rise > timesMin * Math.max(0, most) && rise >= shareMin * capacity && early >= rise / 6;
    const isSlower = least > 0 && rise < least / TIMES_MIN && early < least / TIMES_MIN / 3;
    if (isFaster || isSlower) return fromMs;
  }
  return null;
}

const riseBetween = (levels: Levels, from: number, to: number): number =>
  (levels[to]?.value ?? 0) - (levels[from]?.value ?? 0);

/** Rises of the level over every window of that width. */
function risesOver(levels: Levels, widthMs: number): number[] {
  const rises: number[] = [];
  let from = 0;
  for (const { atMs, value } of levels) {
    if (atMs - widthMs < (levels[0]?.atMs ?? 0)) continue;
    while ((levels[from + 1]?.atMs ?? atMs) <= atMs - widthMs) from += 1;
    rises.push(value - (levels[from]?.value ?? value));
  }
  return rises;
}

const SHORT_WIDTHS_MS = [180, 90, 45, 15].map((minutes) => minutes * MINUTE_MS);
const SHORT_POINTS_MIN = 5;
const SHORT_TIMES_MIN = 2;

/**
 * Returns the newest points if they rise faster than any hour before, as in a stash whose pods are away; otherwise
 * null. `peak` of earlier points reveals benchmarks whose objects are gone.
 */
export function shortSurge(points: readonly HistoryPoint[], hours: Levels, capacity: number): Levels | null {
  const newest = points.at(-1);
  if (newest === undefined) return null;
  const spanMs = newest.atMs - (points[0]?.atMs ?? newest.atMs);
  for (const widthMs of SHORT_WIDTHS_MS) {
    const fromMs = newest.atMs - widthMs;
    const recent = points.filter(({ atMs }) => atMs >= fromMs);
    if (recent.length < SHORT_POINTS_MIN || spanMs < 6 * HOUR_MS) continue;
    const [first, last] = [recent[0]?.value ?? 0, recent.at(-1)?.value ?? 0];
    const middle = recent.find(({ atMs }) => atMs >= fromMs + widthMs / 2)?.value ?? last;
    const rise = last - first;
    const isEven = middle - first > rise / 4 && last - middle > rise / 4;
    const isLarge = rise >= SHARE_MIN_OF_HOURS * capacity;
    if (isEven && isLarge && rise > SHORT_TIMES_MIN * usualRise(points, hours, fromMs, widthMs))
      return recent;
  }
  return null;
}

/** Maximum of bytes written in an hour or in the time of the window, even if they were deleted again. */
function usualRise(points: readonly HistoryPoint[], hours: Levels, untilMs: number, widthMs: number): number {
  const rises = risesOver(
    hours.filter(({ atMs }) => atMs <= untilMs),
    Math.max(HOUR_MS, widthMs),
  );
  let [most, lowest] = [Math.max(0, ...rises), Number.POSITIVE_INFINITY];
  for (const { atMs, value, peak = value } of points) {
    if (atMs > untilMs) break;
    most = Math.max(most, peak - Math.min(lowest, value));
    lowest = value;
  }
  return most;
}
