/** Adds a date to figures that are too old to describe the present, as on a busy machine. Pure. */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { formatSpan, type Status } from "@stashlight/ui";

/** Newer figures need no date: windows, their way to the store and a page's refresh take about this long. */
const OLD_MS = 15_000;
/** Older figures are no proof that all is well. */
const STALE_MS = 30_000;

/** Age of the newest window behind the answers; null if nothing has been measured. */
export function ageOfFigures(
  answers: readonly Pick<MetricAnswer, "newestMs">[],
  nowMs: number,
): number | null {
  const newest = answers.flatMap(({ newestMs }) => newestMs ?? []);
  return newest.length === 0 ? null : Math.max(0, nowMs - Math.max(...newest));
}

/** Formats "as of 1 min ago"; null for figures of the present. */
export const describeAge = (ageMs: number | null): string | null =>
  ageMs === null || ageMs < OLD_MS ? null : `as of ${formatSpan(ageMs)} ago`;

/** Describes that no figure has a problem; `ageMs` is undefined if the figures could not be read. */
export function describeNoProblems(ageMs: number | null | undefined): {
  readonly status: Status;
  readonly title: string;
} {
  if (ageMs === undefined)
    return { status: "unknown", title: "Problems of vaults are unknown: the figures could not be read" };
  const age = describeAge(ageMs);
  return age === null
    ? { status: "good", title: "No problems" }
    : { status: (ageMs ?? 0) < STALE_MS ? "good" : "unknown", title: `No problems ${age}` };
}
