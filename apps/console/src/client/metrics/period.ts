import { DAY_MS, MINUTE_MS } from "@stashlight/contracts/time/duration";
import type { TimeRangeExpressions } from "@stashlight/contracts/time/range";

/** Offset of the compared period in whole days, so that the same hours of the day align. */
export const previousOffsetMs = (rangeMs: number): number =>
  Math.max(1, Math.ceil(rangeMs / DAY_MS)) * DAY_MS;

/** "the day before", "7 days before". */
export function previousWords(rangeMs: number): string {
  const days = previousOffsetMs(rangeMs) / DAY_MS;
  return days === 1 ? "the day before" : `${days} days before`;
}

/**
 * Default time range: an hour, or less in an installation that has measured for minutes; at most twice the measured
 * time, but at least five minutes.
 */
export function initialRange(measuredMs: number): TimeRangeExpressions {
  if (measuredMs < 10 * MINUTE_MS) return { from: "now-5m", to: "now" };
  return { from: measuredMs < 30 * MINUTE_MS ? "now-15m" : "now-1h", to: "now" };
}

/** Nothing appears faster than its windows, which are longer for longer ranges. */
export function refetchIntervalMs(rangeMs: number): number {
  if (rangeMs <= DAY_MS / 12) return 5_000;
  return rangeMs <= DAY_MS ? 15_000 : 60_000;
}
