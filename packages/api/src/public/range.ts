import { StashlightError } from "@stashlight/contracts/errors";
import { parseTimeRange, type TimeRange } from "@stashlight/contracts/time";

/** Limit on JavaScript dates, in the year 275760; Postgres stores later ones too. */
const INSTANT_MS_MAX = 8.64e15;

export function parseRange(from: string, to: string, now: Date): TimeRange {
  const range = parseTimeRange(from, to, now.getTime());
  if ("error" in range) throw new StashlightError("invalid_input", range.error, { field: "from" });
  if (range.fromMs < 0 || range.toMs > INSTANT_MS_MAX) {
    throw new StashlightError("invalid_input", "A range must be between 1970 and the year 275760.", {
      field: "from",
    });
  }
  return range;
}
