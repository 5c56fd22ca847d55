/**
 * Chooses the time to ask for while the page's moves on. A time that somebody chose is asked for at once; one that only
 * moved on with the clock waits for the answers that are under way, or answers that take longer than the page's pace
 * would never be shown. It also leaves the server alone for a while after answers that took long, so that a page of a
 * large fleet that somebody left open keeps no more than a quarter of the server's time.
 */
import type { TimeRange, TimeRangeExpressions } from "@stashlight/contracts/time/range";

export interface AskedTime {
  readonly expressions: TimeRangeExpressions;
  readonly range: TimeRange;
}

/** When an asked time was asked for, and when the last of its answers came; null while one is under way. */
export interface Answering {
  readonly askedAtMs: number;
  readonly answeredAtMs: number | null;
}

/** Between answers and the next question, as a multiple of the time that the answers took. */
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
