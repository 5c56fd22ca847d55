/** Times of a silence: once from its start to its end, or in the same hours of each week (UTC) until a user ends it. */
import { WEEK_MS } from "../time/duration.ts";

export interface SilenceWindow {
  readonly startMs: number;
  /** The end of the first occurrence. */
  readonly endMs: number;
  readonly isWeekly: boolean;
  /** Time at which a user ended it; null if none did. */
  readonly endedMs: number | null;
}

export interface Occurrence {
  readonly startMs: number;
  readonly endMs: number;
}

/** Occurrences that have a part in the range, the first one first; at most `countMax`. */
export function occurrencesIn(
  { startMs, endMs, isWeekly, endedMs }: SilenceWindow,
  { startMs: fromMs, endMs: toMs }: Occurrence,
  countMax = 100,
): Occurrence[] {
  const lastMs = endedMs ?? Number.POSITIVE_INFINITY;
  const occurrences: Occurrence[] = [];
  const first = isWeekly ? Math.max(0, Math.floor((fromMs - endMs) / WEEK_MS) + 1) : 0;
  for (let week = first; occurrences.length < countMax; week += 1) {
    const beginsMs = startMs + week * WEEK_MS;
    const endsMs = Math.min(endMs + week * WEEK_MS, lastMs);
    if (beginsMs > toMs || beginsMs >= lastMs) break;
    if (endsMs > fromMs) occurrences.push({ startMs: beginsMs, endMs: endsMs });
    if (!isWeekly) break;
  }
  return occurrences;
}

/** The occurrence that holds at a moment, or the next one; null when there is none any more. */
export function occurrenceFrom(window: SilenceWindow, atMs: number): Occurrence | null {
  return occurrencesIn(window, { startMs: atMs, endMs: Number.POSITIVE_INFINITY }, 1)[0] ?? null;
}
