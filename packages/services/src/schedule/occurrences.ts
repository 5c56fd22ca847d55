/** Computes when a schedule is due: cron expressions in their time zone, as instants. Reads no clock. */
import { DAY_MS } from "@stashlight/contracts/time";
import { CronExpressionParser } from "cron-parser";

export interface Recurrence {
  cron: string;
  timeZone: string;
}

/** Returns the next `count` instants strictly after `after`. */
export function nextOccurrences(recurrence: Recurrence, after: Date, count: number): Date[] {
  const interval = open(recurrence, after);
  return Array.from({ length: count }, () => interval.next().toDate());
}

/**
 * Returns the instants in (after, until], oldest first, at most `countMax`; if there are more, keeps the newest,
 * because an old missed occurrence matters less than a recent one.
 */
export function occurrencesBetween(
  recurrence: Recurrence,
  after: Date,
  until: Date,
  countMax: number,
): Date[] {
  const found: Date[] = [];
  const interval = open(recurrence, startBefore(recurrence, after, until, countMax));
  for (let instant = interval.next().toDate(); instant <= until; instant = interval.next().toDate()) {
    found.push(instant);
  }
  return found.slice(-countMax);
}

/**
 * Returns a start early enough to find the newest `countMax` occurrences. Only this estimate is made backwards: around
 * a change to or from summer time cron-parser finds different instants backwards than forwards.
 */
function startBefore(recurrence: Recurrence, after: Date, until: Date, countMax: number): Date {
  const interval = open(recurrence, until);
  for (let count = 0; count < countMax; count++) {
    if (interval.prev().toDate() <= after) return after;
  }
  return new Date(Math.max(after.getTime(), interval.prev().getTime() - DAY_MS));
}

function open({ cron, timeZone }: Recurrence, currentDate: Date) {
  return CronExpressionParser.parse(cron, { tz: timeZone, currentDate });
}
