/** When a schedule is due: cron expressions read in their time zone, as instants. No clock of its own. */
import { CronExpressionParser } from "cron-parser";

export interface Recurrence {
  cron: string;
  timeZone: string;
}

/** The next `count` instants strictly after `after`. */
export function nextOccurrences(recurrence: Recurrence, after: Date, count: number): Date[] {
  const interval = CronExpressionParser.parse(recurrence.cron, {
    tz: recurrence.timeZone,
    currentDate: after,
  });
  return Array.from({ length: count }, () => interval.next().toDate());
}

/**
 * Every instant in (after, until], oldest first, at most `countMax`: when there are more, the newest are kept,
 * because an old occurrence that nobody ran is worth less than a recent one.
 */
export function occurrencesBetween(
  recurrence: Recurrence,
  after: Date,
  until: Date,
  countMax: number,
): Date[] {
  const interval = CronExpressionParser.parse(recurrence.cron, {
    tz: recurrence.timeZone,
    currentDate: new Date(until.getTime() + 1),
  });
  const found: Date[] = [];
  while (found.length < countMax) {
    const instant = interval.prev().toDate();
    if (instant <= after) break;
    found.push(instant);
  }
  return found.reverse();
}
