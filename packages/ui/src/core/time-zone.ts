/**
 * Time zone in which times are shown and entered: the browser's, unless the reader chose another. The choice applies to
 * the whole page, so it is kept here rather than passed through every component and pure chart function. The server has
 * many readers, so it has no chosen zone and prints UTC.
 */
let chosen: string | undefined;

/** Sets the zone for everything rendered from now on; null selects the browser's own. */
export function chooseTimeZone(timeZone: string | null): void {
  if (typeof window !== "undefined") chosen = timeZone ?? undefined;
}

/** The chosen zone; undefined means the browser's own. */
export const chosenTimeZone = (): string | undefined => chosen;

const MINUTE_MS = 60_000;

/** Caches a formatter per zone: there are few zones, and creating a formatter takes longer than using it. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/**
 * Formats "2026-11-21 01:33:51": Swedish local time is ISO order with a space, which sorts and cannot be misread as
 * month first.
 */
export function formatWallClock(timeMs: number, timeZone: string | undefined): string {
  const known = formats.get(timeZone);
  if (known !== undefined) return known.format(timeMs);
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone });
  formats.set(timeZone, format);
  return format.format(timeMs);
}

/** Milliseconds by which a zone's clocks are ahead of UTC at an instant. */
export function utcOffsetMs(timeMs: number, timeZone = chosen): number {
  if (timeZone === undefined) return -new Date(timeMs).getTimezoneOffset() * MINUTE_MS;
  const wholeSecondMs = Math.floor(timeMs / 1000) * 1000;
  const wall = formatWallClock(wholeSecondMs, timeZone);
  return Date.parse(`${wall.replace(" ", "T")}Z`) - wholeSecondMs;
}

/**
 * Returns the instant at which the zone's clocks show `wallClock`, an ISO date-time without a zone; NaN if invalid. A
 * repeated hour resolves to the first; a skipped one to an hour later, as in browsers.
 */
export function readWallClock(wallClock: string, timeZone = chosen): number {
  if (timeZone === undefined) return Date.parse(wallClock);
  const asUtcMs = Date.parse(/T/.test(wallClock) ? `${wallClock}Z` : wallClock);
  if (Number.isNaN(asUtcMs)) return Number.NaN;
  // The offset may change within a day; the greater offset belongs to the earlier instant.
  const offsets = [asUtcMs - 86_400_000, asUtcMs + 86_400_000].map((each) => utcOffsetMs(each, timeZone));
  const instants = offsets.map((offsetMs) => asUtcMs - offsetMs);
  const shown = instants.filter((each) => each + utcOffsetMs(each, timeZone) === asUtcMs);
  return shown.length > 0 ? Math.min(...shown) : Math.max(...instants);
}
