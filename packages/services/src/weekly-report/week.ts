/** The week of a report: from a Monday to the next, in the time zone of the installation. */
import { WEEK_MS } from "@stashlight/contracts/time";
import { present } from "../present.ts";
import { occurrencesBetween } from "../schedule/occurrences.ts";

export interface Week {
  /** The date of its Monday, which identifies it. */
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly timeZone: string;
}

/** Returns the last complete week before `now`, and the week before that. */
export function lastWeeks(now: Date, timeZone: string): { readonly week: Week; readonly before: Week } {
  const mondays = occurrencesBetween(
    { cron: "0 0 * * 1", timeZone },
    new Date(now.getTime() - 4 * WEEK_MS),
    now,
    3,
  ).map((monday) => monday.getTime());
  const [first, second, third] = [present(mondays[0]), present(mondays[1]), present(mondays[2])];
  return { week: makeWeek(second, third, timeZone), before: makeWeek(first, second, timeZone) };
}

const makeWeek = (fromMs: number, toMs: number, timeZone: string): Week => ({
  // Swedish dates have the form of ISO 8601.
  name: new Date(fromMs).toLocaleDateString("sv-SE", { timeZone }),
  fromMs,
  toMs,
  timeZone,
});

/** Formats "16 to 22 November 2026". */
export function weekInWords({ fromMs, toMs, timeZone }: Week): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone,
  });
  return format
    .formatRange(fromMs, toMs - 1)
    .replaceAll("–", " to ")
    .replaceAll(/\s+/g, " ");
}
