/** Persistent level of a store: the hours of a history without transient data, and the last change of level. */

import { median } from "../sorted.ts";
import { HOUR_MS } from "./durations.ts";
import type { HistoryPoint } from "./forecast-result.ts";

export type Levels = readonly HistoryPoint[];

const NOW_MS = 20 * 60_000;
const WHOLE_MS_MIN = 30 * 60_000;
/** A rise that disappears within this number of hours is not growth, and a fall that recovers is not a delete. */
const PASSING_HOURS = 3;

/** Takes the minimum of the newest minutes, which excludes a benchmark's objects. */
export function levelNow(points: Levels): number {
  const untilMs = (points.at(-1)?.atMs ?? 0) - NOW_MS;
  return points.reduce(
    (least, { atMs, value }) => (atMs > untilMs ? Math.min(least, value) : least),
    Number.POSITIVE_INFINITY,
  );
}

/**
 * Returns the lowest value of each clock hour, without peaks and dips that are shorter than some hours (a morphological
 * opening and closing): a benchmark's objects are deleted again, and a restarting node is missing in the sum for a
 * while.
 */
export function rollUpHours(points: Levels): Levels {
  const hours: { atMs: number; value: number }[] = [];
  for (const { atMs, value } of points) {
    const endMs = Math.ceil(atMs / HOUR_MS) * HOUR_MS;
    const last = hours.at(-1);
    if (last !== undefined && last.atMs === endMs) last.value = Math.min(last.value, value);
    else hours.push({ atMs: endMs, value });
  }
  const untilMs = points.at(-1)?.atMs ?? 0;
  const newest = hours.at(-1);
  if (newest !== undefined) {
    // An hour that has just begun may contain only a benchmark.
    const isBegun = hours.length > 1 && untilMs - (newest.atMs - HOUR_MS) < WHOLE_MS_MIN;
    if (isBegun) hours.pop();
    else newest.atMs = untilMs;
  }
  const values = Float64Array.from(hours, ({ value }) => value);
  const opened = slide(slide(values, Math.min, 1), Math.max, -1);
  const closed = slide(slide(opened, Math.max, 1), Math.min, -1);
  return hours.map(({ atMs }, i) => ({ atMs, value: closed[i] ?? 0 }));
}

/** Returns the minimum or maximum of each value and the values right after (1) or before it (-1). */
function slide(
  values: Float64Array,
  choose: (a: number, b: number) => number,
  direction: 1 | -1,
): Float64Array {
  return values.map((value, i) => {
    let chosen = value;
    for (let step = 1; step < PASSING_HOURS; step += 1)
      chosen = choose(chosen, values[i + direction * step] ?? chosen);
    return chosen;
  });
}

/** Minimum change of level, as a share of the capacity. */
const CHANGE_SHARE_MIN = 0.02;
/** Minimum change of level, as a multiple of the usual change per hour. */
const CHANGE_TIMES_MIN = 8;
/** A change takes at most this number of hours; a longer rise is growth. */
const CHANGE_HOURS_MAX = 4;
/** Changes that occur this often are normal use of the store. */
const USUAL_COUNT = 4;

interface Change {
  /** End of the first hour after the change. */
  readonly endMs: number;
  readonly by: number;
}

/** Time of the last unusual change of level; null if there was none. */
export function changedSince(hours: Levels, capacity: number): number | null {
  const changes = findChanges(hours, capacity);
  const isUsual = ({ by }: Change): boolean =>
    changes.filter((other) => other.by / by > 0.5 && other.by / by < 2).length >= USUAL_COUNT;
  return changes.findLast((change) => !isUsual(change))?.endMs ?? null;
}

function findChanges(hours: Levels, capacity: number): Change[] {
  const steps = hours.slice(1).map(({ value }, i) => value - (hours[i]?.value ?? value));
  if (steps.length === 0) return [];
  const middle = median(steps);
  const usual = median(steps.map((step) => Math.abs(step - middle)));
  const stepMin = Math.max(CHANGE_TIMES_MIN * usual, (CHANGE_SHARE_MIN / CHANGE_HOURS_MAX) * capacity);
  const changes: Change[] = [];
  for (let i = 0; i < steps.length; i += 1) {
    const first = i;
    const isUp = (steps[i] ?? 0) > 0;
    let by = 0;
    while (i < steps.length && Math.abs((steps[i] ?? 0) - middle) > stepMin && (steps[i] ?? 0) > 0 === isUp) {
      by += steps[i] ?? 0;
      i += 1;
    }
    const hourCount = i - first;
    const isLong = hourCount > CHANGE_HOURS_MAX && isUp;
    // A rise that still continues may become growth.
    const isOpen = isUp && i === steps.length;
    if (hourCount > 0 && !isLong && !isOpen && Math.abs(by) >= CHANGE_SHARE_MIN * capacity) {
      changes.push({ endMs: hours[i]?.atMs ?? 0, by });
    }
  }
  return changes;
}
