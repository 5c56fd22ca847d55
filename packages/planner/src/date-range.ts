/** Formats the range of time within which something happens. */
import { DAY_MS, HOUR_MS } from "@stashlight/contracts/time";

export interface DateRange {
  /** Current time, to which the description is relative. */
  readonly fromMs: number;
  readonly earliestMs: number;
  /** Null if the event may never happen. */
  readonly latestMs: number | null;
}

/** Within this time the hour matters; beyond it only the day does. */
const CLOCK_WITHIN_MS = 2 * DAY_MS;

/** A time this near needs no date, even across midnight. */
const UNNAMED_WITHIN_MS = 12 * HOUR_MS;

/**
 * Formats "between 3 and 5 December", "between 14:20 and 16:05", "on 3 December", "not before 3 December"; in the
 * reader's time zone, or the machine's if it is undefined.
 */
export function formatDateRange(
  { fromMs, earliestMs, latestMs }: DateRange,
  timeZone: string | undefined,
): string {
  const hasClock = (latestMs ?? earliestMs) - fromMs <= CLOCK_WITHIN_MS;
  const dayParts = (ms: number) => dateParts(ms, timeZone);
  const [from, first] = [dayParts(fromMs), dayParts(earliestMs)];
  const last = latestMs === null ? null : dayParts(latestMs);
  const isOneDay = from.date === first.date && (last === null || last.date === first.date);
  const isToday = isOneDay || (latestMs ?? earliestMs) - fromMs <= UNNAMED_WITHIN_MS;
  const long = (parts: Parts): string => {
    const date = parts.year === from.year ? parts.date : `${parts.date} ${parts.year}`;
    if (!hasClock) return date;
    return isToday ? parts.clock : `${date}, ${parts.clock}`;
  };
  const at = hasClock ? "at" : "on";
  if (last === null) return `not before ${long(first)}`;
  if (long(first) === long(last)) return `${at} ${long(first)}`;
  if (hasClock && !isToday && first.date === last.date) {
    return `on ${first.date} between ${first.clock} and ${last.clock}`;
  }
  const isOneMonth = first.month === last.month && first.year === last.year && !hasClock;
  return `between ${isOneMonth ? first.day : long(first)} and ${long(last)}`;
}

interface Parts {
  readonly day: string;
  readonly month: string;
  readonly year: string;
  /** Date such as "3 December". */
  readonly date: string;
  readonly clock: string;
}

function dateParts(timeMs: number, timeZone: string | undefined): Parts {
  const format = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  });
  const parts = Object.fromEntries(format.formatToParts(timeMs).map(({ type, value }) => [type, value]));
  const { day = "", month = "", year = "", hour = "", minute = "" } = parts;
  return { day, month, year, date: `${day} ${month}`, clock: `${hour}:${minute}` };
}
