/** Part of a growth that repeats by hour of the day or of the week. */

import { median } from "../sorted.ts";
import { HOUR_MS } from "./durations.ts";
import type { Levels } from "./levels.ts";

const DAY_HOURS = 24;
export const WEEK_HOURS = 7 * DAY_HOURS;

export interface Season {
  readonly hourCount: number;
  /** Number of its repetitions in the history. */
  readonly repeatCount: number;
  /** Rise of the level from the start of the season to the end of an hour, minus the mean growth. */
  readonly above: (hour: number) => number;
}

const hourAt = (atMs: number): number => Math.ceil(atMs / HOUR_MS);

/** Returns the median; of two values, their common part, because a burst is in only one of them. */
function usualRise(rises: readonly number[]): number {
  const [first = 0, second = 0] = rises;
  if (rises.length > 2) return median(rises);
  if (rises.length < 2 || first * second <= 0) return 0;
  return Math.abs(first) < Math.abs(second) ? first : second;
}

/** Returns null if the history does not cover at least two repetitions. */
export function findSeason(levels: Levels): Season | null {
  const hours = hourAt(levels.at(-1)?.atMs ?? 0) - hourAt(levels[0]?.atMs ?? 0);
  const hourCount = hours >= 2 * WEEK_HOURS ? WEEK_HOURS : DAY_HOURS;
  const repeatCount = Math.floor(hours / hourCount);
  if (repeatCount < 2) return null;
  const rises = Array.from({ length: hourCount }, (): number[] => []);
  for (let i = 1; i < levels.length; i += 1) {
    const [before, now] = [levels[i - 1], levels[i]];
    if (before === undefined || now === undefined) continue;
    const [from, to] = [hourAt(before.atMs), hourAt(now.atMs)];
    // A rise across a gap belongs to none of its hours.
    if (to - from === 1) rises[to % hourCount]?.push(now.value - before.value);
  }
  const usual = rises.map(usualRise);
  const mean = usual.reduce((sum, each) => sum + each, 0) / hourCount;
  let sum = 0;
  const above = usual.map((each) => (sum += each - mean));
  return { hourCount, repeatCount, above: (hour) => above[hour % hourCount] ?? 0 };
}
