/** Between which moments a store will be full: the same growth as `timeToFull`, at both ends of its 95 % interval. */
import { DAY_MS, HOUR_MS } from "@stashlight/contracts/time/duration";
import {
  fillHorizonSeconds,
  type TimeToFull,
  type TimeToFullInput,
} from "@stashlight/contracts/vault/time-to-full";
import { slopeOf } from "@stashlight/stats/slope";

export interface FillBand {
  /** The end of the newest window that went in. */
  readonly fromMs: number;
  readonly earliestMs: number;
  /** Null where growth may as well be none: then it may never be full. */
  readonly latestMs: number | null;
}

/** Null where it is not filling, or too few windows are independent of each other. */
export function fillBand(
  { endMs, liveBytes, capacityBytes }: TimeToFullInput,
  told: TimeToFull,
): FillBand | null {
  const [fromMs, live] = [endMs.at(-1), liveBytes.at(-1)];
  if (told.kind !== "filling" || fromMs === undefined || live === undefined || capacityBytes === null)
    return null;
  // From the newest window on, because large times lose the digits that tell windows apart.
  const { interval } = slopeOf(
    endMs.map((each) => (each - fromMs) / 1000),
    liveBytes,
  );
  if (interval === null || interval.high <= 0) return null;
  const reachedMs = (bytesPerSecond: number): number =>
    fromMs + ((capacityBytes - live) / bytesPerSecond) * 1000;
  const latestMs = interval.low <= 0 ? null : reachedMs(interval.low);
  return {
    fromMs,
    earliestMs: reachedMs(interval.high),
    latestMs: latestMs === null || latestMs - fromMs > fillHorizonSeconds * 1000 ? null : latestMs,
  };
}

/** Within this time the hour matters; later ones are days. */
const CLOCK_WITHIN_MS = 2 * DAY_MS;

/** A time of day needs no date so soon, also across midnight. */
const UNNAMED_WITHIN_MS = 12 * HOUR_MS;

/**
 * "between 3 and 5 December", "between 14:20 and 16:05", "on 3 December", "not before 3 December"; in the reader's time
 * zone, that of the machine where it is undefined.
 */
export function bandInWords(
  { fromMs, earliestMs, latestMs }: FillBand,
  timeZone: string | undefined,
): string {
  const hasClock = (latestMs ?? earliestMs) - fromMs <= CLOCK_WITHIN_MS;
  const dayOf = (ms: number) => partsOf(ms, timeZone);
  const [from, first] = [dayOf(fromMs), dayOf(earliestMs)];
  const last = latestMs === null ? null : dayOf(latestMs);
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
  /** "3 December" */
  readonly date: string;
  readonly clock: string;
}

function partsOf(timeMs: number, timeZone: string | undefined): Parts {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" },
    timeZone,
  });
  const parts = Object.fromEntries(format.formatToParts(timeMs).map(({ type, value }) => [type, value]));
  const { day = "", month = "", year = "", hour = "", minute = "" } = parts;
  return { day, month, year, date: `${day} ${month}`, clock: `${hour}:${minute}` };
}
