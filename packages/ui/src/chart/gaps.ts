import type { ChartGap, ChartRange } from "./model.ts";

/** A window without a single value of a kind has no point either, so this does not say that none came. */
const NO_WINDOW = "Nothing reported";
const NOT_YET = "Before the first window";
const REASONS_MAX = 3;

/** Windows come a little late; only what is further apart than this many steps is a gap. */
const STEPS_APART_MAX = 1.5;

/** Where the points of a line are too far apart to be joined: the indexes that begin a new run, but for the first. */
export function isJoined(earlierMs: number, laterMs: number, stepMs: number): boolean {
  return laterMs - earlierMs <= stepMs * STEPS_APART_MAX;
}

export interface GapInput {
  readonly range: ChartRange;
  readonly stepMs: number;
  /** Times of each series, in order. */
  readonly times: readonly (readonly number[])[];
  /** What is known to be lost, with its reason. */
  readonly known: readonly ChartGap[];
  /** End of the newest window that may be expected; nothing later is missing yet. */
  readonly expectedUntilMs: number;
  /** Since when anything was measured at all. */
  readonly measuredSinceMs?: number;
  /** Times in which the nodes behind the series reported, whether or not there was anything to count. */
  readonly reported?: readonly ChartRange[];
}

/**
 * The times in which nothing was reported, each with the reason where one is known: no series has a point, and no node
 * that would have told of one sent a window. Times before the first point of all are a gap too: a chart that begins
 * later than its range must say so.
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
    gaps.push({ startMs, endMs, reason: isBefore ? NOT_YET : reasonOf({ startMs, endMs }, stepMs, known) });
  };
  for (const { fromMs, toMs } of covered) {
    open(coveredMs, fromMs);
    coveredMs = Math.max(coveredMs, toMs);
  }
  open(coveredMs, untilMs);
  return gaps;
}

/** A loss of one node that is shorter than the gap does not tell why all were silent. */
function reasonOf(
  { startMs, endMs }: Omit<ChartGap, "reason">,
  stepMs: number,
  known: readonly ChartGap[],
): string {
  const lost = known.filter((gap) => gap.startMs < endMs && gap.endMs > startMs);
  const isWhole = lost.some((gap) => gap.startMs <= startMs + stepMs && gap.endMs >= endMs - stepMs);
  const reasons = [...new Set(lost.map(({ reason }) => reason))].slice(0, REASONS_MAX);
  return [...(isWhole ? [] : [NO_WINDOW]), ...reasons].join("; ");
}

/** A late time and what was found missing within it are one, under the late one's reason. */
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
