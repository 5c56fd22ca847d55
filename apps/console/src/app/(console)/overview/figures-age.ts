/** Judges by the age of reports whether figures without a problem prove that all is well. Pure. */
import type { Status } from "@stashlight/ui";

/** Reports older than a page's refresh by more than this prove nothing. */
const STALE_MS = 25_000;

export interface FiguresAge {
  /** Time of the reports behind the figures; null if nothing was measured, and undefined if they could not be read. */
  readonly reportedMs: number | null | undefined;
  /** End of the page's time range. */
  readonly nowMs: number;
  /** Interval at which the page reads figures again. */
  readonly paceMs: number;
}

/** Describes that no figure has a problem; the page adds the time of the reports. */
export function describeNoProblems({ reportedMs, nowMs, paceMs }: FiguresAge): {
  readonly status: Status;
  readonly title: string;
} {
  if (reportedMs === undefined)
    return { status: "unknown", title: "Problems of vaults are unknown: the figures could not be read" };
  const isProof = reportedMs === null || nowMs - reportedMs < STALE_MS + paceMs;
  return { status: isProof ? "good" : "unknown", title: "No problems" };
}
