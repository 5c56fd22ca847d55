import { DAY_MS, HOUR_MS, WEEK_MS } from "./duration.ts";

/**
 * Time range of a page as it is in the URL: two expressions, each `now`, `now-6h` (units s m h d w), an ISO 8601 date
 * or date-time, or milliseconds since 1970. Expressions stay as typed; they are resolved against a clock only when data
 * is requested, so that a shared link to "the last 6 hours" means that for its reader.
 */
export interface TimeRangeExpressions {
  from: string;
  to: string;
}

export interface TimeRange {
  fromMs: number;
  toMs: number;
}

export const defaultTimeRange: TimeRangeExpressions = { from: "now-24h", to: "now" };

const unitMs = { s: 1_000, m: 60_000, h: HOUR_MS, d: DAY_MS, w: WEEK_MS } as const;
const relative = /^now(?:([+-])(\d{1,6})([smhdw]))?$/;
const epoch = /^\d{12,14}$/;
const isoDate = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

const hasZone = /T.*(?:Z|[+-]\d{2}:?\d{2})$/;

/** Returns the instant of a date-time without a zone; by default in the machine's own zone. */
type ReadLocal = (text: string) => number;

function parseInstant(expression: string, nowMs: number, readLocal: ReadLocal): number | undefined {
  const text = expression.trim();
  const match = relative.exec(text);
  if (match) {
    const [, sign, amount, unit] = match;
    if (sign === undefined || amount === undefined) return nowMs;
    const offsetMs = Number(amount) * unitMs[unit as keyof typeof unitMs];
    return sign === "-" ? nowMs - offsetMs : nowMs + offsetMs;
  }
  if (epoch.test(text)) return Number(text);
  if (!isoDate.test(text)) return undefined;
  const iso = text.replace(" ", "T");
  const parsed = hasZone.test(iso) ? Date.parse(iso) : readLocal(iso);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** Resolves both ends against `nowMs`; returns a sentence about an expression that cannot be read. */
export function parseTimeRange(
  from: string,
  to: string,
  nowMs: number,
  readLocal: ReadLocal = Date.parse,
): TimeRange | { error: string } {
  const fromMs = parseInstant(from, nowMs, readLocal);
  const toMs = parseInstant(to, nowMs, readLocal);
  for (const [name, text, value] of [
    ["From", from, fromMs],
    ["To", to, toMs],
  ] as const) {
    if (value === undefined) {
      return {
        error: `${name}: "${text}" is not a time; enter now, now-6h, or a date such as 2026-11-21 14:00.`,
      };
    }
  }
  if (fromMs === undefined || toMs === undefined) throw new Error("unreachable: both ends were checked");
  if (fromMs >= toMs) return { error: "The range is empty: From must be before To." };
  return { fromMs, toMs };
}
