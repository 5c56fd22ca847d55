/**
 * The time zone in which times are printed and typed: the browser's, unless the reader chose another. It is the same on
 * the whole page, so it is kept here rather than handed through every component and every pure function of a chart. The
 * server serves many readers and prints UTC; nothing is ever chosen there.
 */
let chosen: string | undefined;

/** Chooses for everything that is rendered from now on; null is the browser's own. */
export function chooseTimeZone(timeZone: string | null): void {
  if (typeof window !== "undefined") chosen = timeZone ?? undefined;
}

/** The chosen zone; undefined is the browser's own. */
export const chosenTimeZone = (): string | undefined => chosen;

const MINUTE_MS = 60_000;

/** One formatter for each zone that was ever asked for, which are few; making one takes longer than using it. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/** "2026-11-21 01:33:51": Swedish local time is the ISO order with a space, which sorts and is never read month first. */
export function formatWallClock(timeMs: number, timeZone: string | undefined): string {
  const known = formats.get(timeZone);
  if (known !== undefined) return known.format(timeMs);
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone });
  formats.set(timeZone, format);
  return format.format(timeMs);
}

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
export function utcOffsetMs(timeMs: number, timeZone = chosen): number {
  if (timeZone === undefined) return -new Date(timeMs).getTimezoneOffset() * MINUTE_MS;
  const wholeSecondMs = Math.floor(timeMs / 1000) * 1000;
  const wall = formatWallClock(wholeSecondMs, timeZone);
  return Date.parse(`${wall.replace(" ", "T")}Z`) - wholeSecondMs;
}

/**
 * The instant at which the clocks of the zone show `wallClock`, an ISO date-time without a zone; NaN if it is none. Of an
 * hour that comes twice it is the first; one that is left out is read as an hour later, as browsers do.
 */
export function readWallClock(wallClock: string, timeZone = chosen): number {
  if (timeZone === undefined) return Date.parse(wallClock);
  const asUtcMs = Date.parse(/T/.test(wallClock) ? `${wallClock}Z` : wallClock);
  if (Number.isNaN(asUtcMs)) return Number.NaN;
  // The offset may change within a day of it: the greater one is that of the earlier instant.
  const offsets = [asUtcMs - 86_400_000, asUtcMs + 86_400_000].map((each) => utcOffsetMs(each, timeZone));
  const instants = offsets.map((offsetMs) => asUtcMs - offsetMs);
  const shown = instants.filter((each) => each + utcOffsetMs(each, timeZone) === asUtcMs);
  return shown.length > 0 ? Math.min(...shown) : Math.max(...instants);
}
