import { formatDateTime } from "../core/format.ts";
import { readWallClock } from "../core/time-zone.ts";

/** Raw expressions as they stand in the URL: "now-6h", "now", or an ISO instant. */
export type TimeRange = { from: string; to: string };

export type ResolvedRange = { fromMs: number; toMs: number };

/** What contracts' parseTimeRange does. */
export type ResolveTimeRange = (from: string, to: string, nowMs: number) => ResolvedRange | { error: string };

export const quickRanges: { label: string; from: string }[] = [
  { label: "Last 5 minutes", from: "now-5m" },
  { label: "Last 15 minutes", from: "now-15m" },
  { label: "Last hour", from: "now-1h" },
  { label: "Last 6 hours", from: "now-6h" },
  { label: "Last 24 hours", from: "now-24h" },
  { label: "Last 7 days", from: "now-7d" },
  { label: "Last 14 days", from: "now-14d" },
  { label: "Last 30 days", from: "now-30d" },
];

/** "Last 6 hours" where the range is a quick one; else what was typed, with instants as times of the given zone. */
export function describeRange({ from, to }: TimeRange, timeZone?: string): string {
  const quick = to === "now" ? quickRanges.find((range) => range.from === from) : undefined;
  return quick?.label ?? `${describeEnd(from, timeZone)} to ${describeEnd(to, timeZone)}`;
}

function describeEnd(expression: string, timeZone?: string): string {
  const timeMs = isoInstantMs(expression);
  return timeMs === null ? expression : formatDateTime(timeMs, timeZone).slice(0, 16);
}

/** The instant of an ISO expression with a zone, null for anything else (as "now-6h"). */
export function isoInstantMs(expression: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(expression)) return null;
  const timeMs = Date.parse(expression);
  return Number.isNaN(timeMs) ? null : timeMs;
}

/** The instant as a datetime-local field writes it: "2026-11-21T01:33". */
export function toFieldValue(timeMs: number, timeZone?: string): string {
  return formatDateTime(timeMs, timeZone).slice(0, 16).replace(" ", "T");
}

/** The instant a datetime-local field means, read in the reader's zone or in UTC; null where it is empty. */
export function fromFieldValue(value: string, isUtc: boolean): string | null {
  const timeMs = isUtc ? Date.parse(`${value}Z`) : readWallClock(value);
  return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString();
}
