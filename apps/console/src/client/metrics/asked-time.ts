/**
 * Chooses the time to query while the page's time advances. A time chosen by the user is queried at once; one that only
 * advances with the clock waits for pending answers, since answers slower than the page's pace would otherwise never be
 * shown. After slow answers it also pauses, so that a page of a large fleet left open uses at most a quarter of the
 * server's time.
 */
import type { TimeRange, TimeRangeExpressions } from "@stashlight/contracts/time/range";

export interface AskedTime {
  readonly expressions: TimeRangeExpressions;
  readonly range: TimeRange;
}

/** When a time was queried, and when its last answer came; null while one is pending. */
export interface Answering {
  readonly askedAtMs: number;
  readonly answeredAtMs: number | null;
}

/** Pause between answers and the next query, as a multiple of the answers' duration. */
const REST_FACTOR = 3;

export function nextAsked(asked: AskedTime, page: AskedTime, answering: Answering, nowMs: number): AskedTime {
  const isChosen =
    asked.expressions.from !== page.expressions.from || asked.expressions.to !== page.expressions.to;
  const hasMoved = asked.range.fromMs !== page.range.fromMs || asked.range.toMs !== page.range.toMs;
  return isChosen || (hasMoved && isRested(answering, nowMs)) ? page : asked;
}

function isRested({ askedAtMs, answeredAtMs }: Answering, nowMs: number): boolean {
  return answeredAtMs !== null && nowMs >= answeredAtMs + REST_FACTOR * (answeredAtMs - askedAtMs);
}
