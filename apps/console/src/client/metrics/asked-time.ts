/**
 * Chooses the time to ask for while the page's moves on. A time that somebody chose is asked for at once; one that only
 * moved on with the clock waits for the answers that are under way, or answers that take longer than the page's pace
 * would never be shown.
 */
import type { TimeRange, TimeRangeExpressions } from "@stashlight/contracts/time/range";

export interface AskedTime {
  readonly expressions: TimeRangeExpressions;
  readonly range: TimeRange;
}

export function nextAsked(asked: AskedTime, page: AskedTime, isSettled: boolean): AskedTime {
  const isChosen =
    asked.expressions.from !== page.expressions.from || asked.expressions.to !== page.expressions.to;
  const hasMoved = asked.range.fromMs !== page.range.fromMs || asked.range.toMs !== page.range.toMs;
  return isChosen || (hasMoved && isSettled) ? page : asked;
}
