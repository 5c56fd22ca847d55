import { DAY_MS, MINUTE_MS, type TimeRangeExpressions } from "@stashlight/contracts/time";

/** Whole days by which the compared period is earlier, so that the hours of the day align. */
export const previousOffsetMs = (rangeMs: number): number =>
  Math.max(1, Math.ceil(rangeMs / DAY_MS)) * DAY_MS;

/** "the day before", "7 days before". */
export function previousWords(rangeMs: number): string {
  const days = previousOffsetMs(rangeMs) / DAY_MS;
  return days === 1 ? "the day before" : `${days} days before`;
}

/**
 * Default time range: an hour, or less in an installation that has measured for minutes only; at most twice the
 * measured time, and at least five minutes.
 */
export function initialRange(measuredMs: number): TimeRangeExpressions {
  if (measuredMs < 10 * MINUTE_MS) return { from: "now-5m", to: "now" };
  return { from: measuredMs < 30 * MINUTE_MS ? "now-15m" : "now-1h", to: "now" };
}

/** Refresh interval: the length of the windows, which are longer for longer ranges. */
export function refetchIntervalMs(rangeMs: number): number {
  if (rangeMs <= DAY_MS / 12) return 5_000;
  return rangeMs <= DAY_MS ? 15_000 : 60_000;
}
