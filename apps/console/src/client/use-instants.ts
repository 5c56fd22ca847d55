"use client";
import type { TimeRange, TimeRangeExpressions } from "@stashlight/contracts/time";
import { serverNow, useNow } from "@stashlight/ui";
import { useState } from "react";
import { resolveTimeRange } from "./url-state.ts";

const everyMs = 15_000;

/** The range as advancing instants, rounded up so that events of this moment are included. */
export function useInstants(range: TimeRangeExpressions): TimeRange {
  const [loadedAtMs] = useState(() => serverNow());
  const nowMs = useNow(everyMs) ?? loadedAtMs;
  return resolveTimeRange(range, Math.ceil((nowMs + 1) / everyMs) * everyMs);
}
