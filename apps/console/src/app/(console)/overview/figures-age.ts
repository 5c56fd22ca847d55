/** Adds a date to figures that are too old to describe the present, as on a busy machine. Pure. */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { formatSpan, type Status } from "@stashlight/ui";

/** Figures need no date until they are this much older than a page's refresh makes them: windows and their way take it. */
const OLD_MS = 10_000;
/** Figures this much older than that are no proof that all is well. */
const STALE_MS = 25_000;

/** Age of the newest window behind the answers; null if nothing has been measured. */
export function ageOfFigures(
  answers: readonly Pick<MetricAnswer, "newestMs">[],
  nowMs: number,
): number | null {
  const newest = answers.flatMap(({ newestMs }) => newestMs ?? []);
  return newest.length === 0 ? null : Math.max(0, nowMs - Math.max(...newest));
}

export interface FiguresAge {
  /** Age of the newest window; null if nothing has been measured, and undefined if the figures could not be read. */
  readonly ageMs: number | null | undefined;
  /** Interval at which the page reads figures again. */
  readonly paceMs: number;
}

/** Formats "as of 1 min ago"; null for figures of the present. */
export const describeAge = ({ ageMs, paceMs }: FiguresAge): string | null =>
  ageMs == null || ageMs < OLD_MS + paceMs ? null : `as of ${formatSpan(ageMs)} ago`;

/** Describes that no figure has a problem. */
export function describeNoProblems({ ageMs, paceMs }: FiguresAge): {
  readonly status: Status;
  readonly title: string;
} {
  if (ageMs === undefined)
    return { status: "unknown", title: "Problems of vaults are unknown: the figures could not be read" };
  const age = describeAge({ ageMs, paceMs });
  return age === null
    ? { status: "good", title: "No problems" }
    : { status: (ageMs ?? 0) < STALE_MS + paceMs ? "good" : "unknown", title: `No problems ${age}` };
}
