import { DAY_MS, MINUTE_MS } from "@stashlight/contracts/time/duration";
import type { TimeRangeExpressions } from "@stashlight/contracts/time/range";

/** How far back the compared period lies: whole days, so that the same hours of the day stand above each other. */
export const previousOffsetMs = (rangeMs: number): number =>
  Math.max(1, Math.ceil(rangeMs / DAY_MS)) * DAY_MS;

/** "the day before", "7 days before". */
export function previousWords(rangeMs: number): string {
  const days = previousOffsetMs(rangeMs) / DAY_MS;
  return days === 1 ? "the day before" : `${days} days before`;
}

/**
 * The time that a page shows when nobody chose one: an hour, or less of an installation that has measured for minutes,
 * and at most twice what it has measured, but for the first five.
 */
export function initialRange(measuredMs: number): TimeRangeExpressions {
  if (measuredMs < 10 * MINUTE_MS) return { from: "now-5m", to: "now" };
  return { from: measuredMs < 30 * MINUTE_MS ? "now-15m" : "now-1h", to: "now" };
}

/** Nothing appears faster than its windows, which are longer for longer ranges. */
export function refetchMsOf(rangeMs: number): number {
  if (rangeMs <= DAY_MS / 12) return 5_000;
  return rangeMs <= DAY_MS ? 15_000 : 60_000;
}
