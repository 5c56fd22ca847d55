/** Parses times in logs to milliseconds since 1970; null for any other text. */

const MONTHS: Readonly<Record<string, number>> = {
  Jan: 0,
  Feb: 1,
  Mar: 2,
  Apr: 3,
  May: 4,
  Jun: 5,
  Jul: 6,
  Aug: 7,
  Sep: 8,
  Oct: 9,
  Nov: 10,
  Dec: 11,
};
const CLF = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}):(\d{2})$/;
const ZONE = /^ ([+-])(\d{2})(\d{2})$/;
const MINUTE_LENGTH = "06/Feb/2019:00:00".length;

/**
 * Parses times of the common log format, such as "06/Feb/2019:00:00:38 +0000". The previous minute is cached, since
 * neighbouring lines mostly share it.
 */
export function createClfClock(): (text: string) => number | null {
  let minute = "";
  let minuteMs: number | null = null;
  return (text) => {
    const head = text.slice(0, MINUTE_LENGTH);
    if (head !== minute) {
      minute = head;
      minuteMs = clfMinuteMs(head);
    }
    const seconds = secondsAt(text, MINUTE_LENGTH + 1);
    const zoneMs = parseZoneMs(text.slice(MINUTE_LENGTH + 3));
    if (minuteMs === null || seconds === null || zoneMs === null) return null;
    return minuteMs + seconds * 1000 - zoneMs;
  };
}

function clfMinuteMs(text: string): number | null {
  const [, day, monthName = "", year, hour, minute] = CLF.exec(text) ?? [];
  const month = MONTHS[monthName];
  if (month === undefined) return null;
  return Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute));
}

/** Two digits; a leap second counts as the last of its minute. */
function secondsAt(text: string, at: number): number | null {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  if (!(tens >= 0 && tens <= 6 && ones >= 0 && ones <= 9)) return null;
  return Math.min(59, tens * 10 + ones);
}

function parseZoneMs(text: string): number | null {
  if (text === " +0000") return 0;
  const [, sign, hours, minutes] = ZONE.exec(text) ?? [];
  if (sign === undefined) return null;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

const ISO = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Parses an ISO time, also with a blank in place of the T. Without a zone it counts as UTC. */
export function isoMs(text: string): number | null {
  if (!ISO.test(text)) return null;
  const withT = text.replace(" ", "T");
  const ms = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(withT) ? withT : `${withT}Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** 1973 in milliseconds is 3,000 years in seconds: no log has such a time in either unit. */
const MILLISECONDS_FROM = 1e11;
const MICROSECONDS_FROM = 1e14;

/** Parses an ISO time, or seconds, milliseconds or microseconds since 1970 by their size. */
export function anyMs(value: unknown): number | null {
  if (typeof value === "string")
    return isoMs(value) ?? (/^\d{9,16}(\.\d+)?$/.test(value) ? anyMs(Number(value)) : null);
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) return null;
  if (value >= MICROSECONDS_FROM) return value / 1000;
  return value >= MILLISECONDS_FROM ? value : value * 1000;
}

/** Parses an integer number of bytes; null for "-", for nothing, and for any other text. */
export function parseBytes(value: unknown): number | null {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? value : null;
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : null;
}
