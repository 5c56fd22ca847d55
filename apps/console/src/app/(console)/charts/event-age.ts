/** Decides whether counted events are still occurring, and how old the last one is. Pure. */
import { MINUTE_MS } from "@stashlight/contracts/time/duration";
import { formatSpan } from "@stashlight/ui";

/** Events are over, and no longer a problem, once the last one is older than this. */
const GOES_ON_MS = 5 * MINUTE_MS;
/** Events older than this are described in the past tense; windows are some seconds old when they are shown. */
const NOW_MS = MINUTE_MS / 2;

/** Shown beside a count of events that are over. */
export const OVER = "none in the last 5 min";

interface Windows {
  /** End of the newest window. */
  readonly newestMs: number;
  readonly stepMs: number;
  readonly nowMs: number;
}

export interface EventAge {
  readonly isGoingOn: boolean;
  /** "the last 2 min ago"; null for current events. */
  readonly last: string | null;
}

/** `lastMs` is the end of the last window with an event; null if there was none. */
export function judgeEventAge(lastMs: number | null, { newestMs, stepMs, nowMs }: Windows): EventAge {
  if (lastMs === null) return { isGoingOn: false, last: null };
  const isNow = nowMs - lastMs < Math.max(NOW_MS, stepMs);
  return {
    isGoingOn: newestMs - lastMs < GOES_ON_MS,
    last: isNow ? null : `the last ${formatSpan(nowMs - lastMs)} ago`,
  };
}
