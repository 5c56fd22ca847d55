/**
 * Chooses the time to query while the page's time advances. A time that the user chose is queried at once. A time that
 * advances with the clock waits for pending answers, because answers slower than the page's pace would otherwise never
 * be shown. After slow answers it pauses too, so that a page of a large fleet left open uses at most a quarter of the
 * server's time.
 */
import type { TimeRange, TimeRangeExpressions } from "@stashlight/contracts/time";

export interface AskedTime {
  readonly expressions: TimeRangeExpressions;
  readonly range: TimeRange;
}

/** Time of a query and of its last answer; null while one is pending. */
export interface Answering {
  readonly askedAtMs: number;
  readonly answeredAtMs: number | null;
}

/** Pause after answers, as a multiple of the time they took. */
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

interface Asked {
  readonly isFetching: boolean;
  readonly isError: boolean;
  readonly dataUpdatedAt: number;
  readonly errorUpdatedAt: number;
  /** Failures since the time was first requested. */
  readonly errorUpdateCount: number;
}

/**
 * Time of the last answer or failure; null while one is pending. Returns 0, which allows the next query without a
 * pause, if a query succeeded after failures: the time since it was asked measures the outage, and not the server.
 */
export function latestAnswerMs(results: readonly Asked[]): number | null {
  if (results.some(({ isFetching }) => isFetching)) return null;
  if (results.some(({ errorUpdateCount, isError }) => !isError && errorUpdateCount > 0)) return 0;
  return Math.max(
    0,
    ...results.flatMap(({ dataUpdatedAt, errorUpdatedAt }) => [dataUpdatedAt, errorUpdatedAt]),
  );
}
