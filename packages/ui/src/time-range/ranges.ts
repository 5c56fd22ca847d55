import { formatDateTime } from "../core/format.ts";
import { readWallClock } from "../core/time-zone.ts";

/** Raw expressions as in the URL: "now-6h", "now", or an ISO instant. */
export type TimeRange = { from: string; to: string };

export type ResolvedRange = { fromMs: number; toMs: number };

/** Signature of parseTimeRange in contracts. */
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

/** "Last 2 days" for a range up to now; otherwise the typed text, with instants in the given zone. */
export function describeRange({ from, to }: TimeRange, timeZone?: string): string {
  const last = to === "now" ? describeLast(from) : null;
  return last ?? `${describeEnd(from, timeZone)} to ${describeEnd(to, timeZone)}`;
}

const unitWords: Readonly<Record<string, string>> = {
  s: "second",
  m: "minute",
  h: "hour",
  d: "day",
  w: "week",
};

function describeLast(from: string): string | null {
  const [, amount, unit = ""] = /^now-(\d{1,6})([smhdw])$/.exec(from) ?? [];
  const word = unitWords[unit];
  if (amount === undefined || word === undefined) return null;
  return Number(amount) === 1 ? `Last ${word}` : `Last ${Number(amount)} ${word}s`;
}

function describeEnd(expression: string, timeZone?: string): string {
  const timeMs = isoInstantMs(expression);
  return timeMs === null ? expression : formatDateTime(timeMs, timeZone).slice(0, 16);
}

/** Parses an ISO expression with a zone; null for anything else (such as "now-6h"). */
export function isoInstantMs(expression: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(expression)) return null;
  const timeMs = Date.parse(expression);
  return Number.isNaN(timeMs) ? null : timeMs;
}

/** Formats an instant for a datetime-local field: "2026-11-21T01:33". */
export function toFieldValue(timeMs: number, timeZone?: string): string {
  return formatDateTime(timeMs, timeZone).slice(0, 16).replace(" ", "T");
}

/** Parses a datetime-local field in the reader's zone or in UTC; null if it is empty. */
export function fromFieldValue(value: string, isUtc: boolean): string | null {
  const timeMs = isUtc ? Date.parse(`${value}Z`) : readWallClock(value);
  return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString();
}
