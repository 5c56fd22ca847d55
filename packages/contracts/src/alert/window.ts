/** Times of a silence: once from its start to its end, or in the same hours of each week (UTC) until a user ends it. */
import { WEEK_MS } from "../time/duration.ts";

export interface SilenceWindow {
  readonly startMs: number;
  /** End of the first occurrence. */
  readonly endMs: number;
  readonly isWeekly: boolean;
  /** Time at which a user ended it; null if none did. */
  readonly endedMs: number | null;
}

export interface Occurrence {
  readonly startMs: number;
  readonly endMs: number;
}

/** Returns the occurrences that overlap the range, in order, at most `countMax`. */
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

/** Returns the occurrence at a moment, or the next one; null if none is left. */
export function occurrenceFrom(window: SilenceWindow, atMs: number): Occurrence | null {
  return occurrencesIn(window, { startMs: atMs, endMs: Number.POSITIVE_INFINITY }, 1)[0] ?? null;
}
