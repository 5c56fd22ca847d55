import { parseTimeRange } from "@stashlight/contracts/time";
import { readWallClock } from "@stashlight/ui";

/** Parses a range in the reader's chosen zone, unless the times name a zone. */
export const readTimeRange = (from: string, to: string, nowMs: number) =>
  parseTimeRange(from, to, nowMs, readWallClock);
