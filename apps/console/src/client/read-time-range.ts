import { parseTimeRange } from "@stashlight/contracts/time/range";
import { readWallClock } from "@stashlight/ui";

/** A range whose times are those of the zone that the reader chose, unless they name one. */
export const readTimeRange = (from: string, to: string, nowMs: number) =>
  parseTimeRange(from, to, nowMs, readWallClock);
