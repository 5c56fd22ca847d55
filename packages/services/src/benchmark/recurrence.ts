import { StashlightError } from "@stashlight/contracts/errors";
import { nextOccurrences, type Recurrence } from "../schedule/occurrences.ts";

/** Refuses a schedule that cannot be parsed or is never due, with a message for the field. */
export function checkRecurrence(recurrence: Recurrence, now: Date): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: recurrence.timeZone });
  } catch {
    throw new StashlightError(
      "invalid_input",
      `There is no time zone "${recurrence.timeZone}"; enter one such as UTC or Europe/Berlin.`,
      { field: "timeZone" },
    );
  }
  try {
    nextOccurrences(recurrence, now, 1);
  } catch (cause) {
    throw new StashlightError(
      "invalid_input",
      `"${recurrence.cron}" is no cron expression: write minute, hour, day, month and weekday, such as 0 */6 * * *.`,
      { field: "cron", cause },
    );
  }
}
