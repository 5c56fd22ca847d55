import { parseTimeRange } from "@stashlight/contracts/time/range";
import { readWallClock } from "@stashlight/ui";

/** Range in the reader's chosen zone, unless the times name one. */
export const readTimeRange = (from: string, to: string, nowMs: number) =>
  parseTimeRange(from, to, nowMs, readWallClock);
