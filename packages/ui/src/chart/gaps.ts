import type { ChartGap, ChartRange } from "./model.ts";

/**
 * Part of a gap's reason. A missing point alone is not a gap, because a window without a value of a kind has no point
 * either.
 */
const NO_WINDOW = "Nothing reported";
const NOT_YET = "Before the first window";
const REASONS_MAX = 3;

/** Steps without a point after which there is a gap; windows can arrive a little late. */
const STEPS_APART_MAX = 1.5;

/** True if two neighbouring points are close enough in time to be joined by a line. */
export function isJoined(earlierMs: number, laterMs: number, stepMs: number): boolean {
  return laterMs - earlierMs <= stepMs * STEPS_APART_MAX;
}

export interface GapInput {
  readonly range: ChartRange;
  readonly stepMs: number;
  /** Times of each series, in ascending order. */
  readonly times: readonly (readonly number[])[];
  /** Known losses with their reasons. */
  readonly known: readonly ChartGap[];
  /** End of the newest window expected by now; nothing later counts as missing. */
  readonly expectedUntilMs: number;
  /** Start of the first measurement. */
  readonly measuredSinceMs?: number;
  /** Times in which the nodes behind the series reported, including windows without samples. */
  readonly reported?: readonly ChartRange[];
}

/**
 * Returns the times without any report, each with its reason if known: no series has a point, and no node that could
 * have reported one sent a window. A chart that begins later than its range also has a gap before its first point.
 */
export function findGaps({
  range,
  stepMs,
  times,
  known,
  expectedUntilMs,
  measuredSinceMs = 0,
  reported = [],
}: GapInput): ChartGap[] {
  const ends = [...new Set(times.flat())];
  const covered = [...ends.map((endMs) => ({ fromMs: endMs - stepMs, toMs: endMs })), ...reported]
    .filter(({ fromMs, toMs }) => toMs > range.fromMs && fromMs < range.toMs)
    .sort((a, b) => a.fromMs - b.fromMs);
  const untilMs = Math.min(range.toMs, expectedUntilMs);
  const gaps: ChartGap[] = [];
  let coveredMs = range.fromMs;
  const open = (startMs: number, endMs: number) => {
    if (endMs - startMs <= stepMs * STEPS_APART_MAX) return;
    const isBefore = endMs <= measuredSinceMs + stepMs;
    gaps.push({ startMs, endMs, reason: isBefore ? NOT_YET : gapReason({ startMs, endMs }, stepMs, known) });
  };
  for (const { fromMs, toMs } of covered) {
    open(coveredMs, fromMs);
    coveredMs = Math.max(coveredMs, toMs);
  }
  open(coveredMs, untilMs);
  return gaps;
}

/** A loss of one node that is shorter than the gap does not explain the silence of all. */
function gapReason(
  { startMs, endMs }: Omit<ChartGap, "reason">,
  stepMs: number,
  known: readonly ChartGap[],
): string {
  const lost = known.filter((gap) => gap.startMs < endMs && gap.endMs > startMs);
  const isWhole = lost.some((gap) => gap.startMs <= startMs + stepMs && gap.endMs >= endMs - stepMs);
  const reasons = [...new Set(lost.map(({ reason }) => reason))].slice(0, REASONS_MAX);
  return [...(isWhole ? [] : [NO_WINDOW]), ...reasons].join("; ");
}

/** Merges a late period with the gaps inside it, under the late period's reason. */
export function withLate(
  gaps: readonly ChartGap[],
  late: readonly ChartGap[],
  { fromMs, toMs }: ChartRange,
): ChartGap[] {
  const shown = late
    .map((gap) => ({ ...gap, startMs: Math.max(gap.startMs, fromMs), endMs: Math.min(gap.endMs, toMs) }))
    .filter(({ startMs, endMs }) => startMs < endMs);
  const isWithin = (gap: ChartGap) =>
    shown.some(({ startMs, endMs }) => gap.startMs >= startMs && gap.endMs <= endMs);
  return [...gaps.filter((gap) => !isWithin(gap)), ...shown];
}
