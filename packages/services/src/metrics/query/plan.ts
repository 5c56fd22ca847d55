/** Chooses the resolution in which a range is read, and the length of a point. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@stashlight/contracts/time";
import { BUCKET_MS, RESOLUTIONS, RETENTION_MS, type Resolution } from "@stashlight/db/metrics";
import { present } from "../../present.ts";

const RANGE_MS_MAX: Readonly<Record<Resolution, number>> = {
  raw: 2 * HOUR_MS,
  "1m": DAY_MS,
  "10m": 14 * DAY_MS,
  "1h": Number.POSITIVE_INFINITY,
};

/**
 * Limit on windows to read for one answer; beyond it, the next resolution is used. A row of samples is read at several
 * columns, and takes correspondingly longer than a histogram's.
 */
const WINDOW_COUNT_MAX = 200_000;
export const SAMPLE_ROW_COUNT_MAX = 64_000;

/** Lengths that people can read off an axis without computing. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 20, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 28, 56].map((days) => days * DAY_MS),
];

export interface PlanInput {
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly pointCountMax: number;
  /** The longest usual window of the queried nodes. */
  readonly windowMs: number;
  /** Number of series of histograms, or of nodes of samples; each has one row per window. */
  readonly rowsPerWindow: number;
  /** Finest resolution to read: 1m for fleets, whose buckets are merged from one minute upwards. */
  readonly finest?: Resolution;
  readonly rowCountMax?: number;
  /** The same limit for raw windows, if it is lower for them. */
  readonly rawRowCountMax?: number;
}

export interface Plan {
  readonly resolution: Resolution;
  readonly stepMs: number;
  /** The range, widened to whole steps; the start is exclusive. */
  readonly startMs: number;
  readonly endMs: number;
  readonly pointCount: number;
  /** End of the data to read: the end of the range, or of the buckets that large fleets have merged ahead. */
  readonly readToMs: number;
}

export function planRange(input: PlanInput): Plan {
  const resolution = resolutionFor(input);
  const baseMs = baseStepMs(resolution, input.windowMs);
  const shortestMs = Math.max(baseMs, (input.toMs - input.fromMs) / input.pointCountMax);
  const isWhole = (stepMs: number): boolean => resolution === "raw" || stepMs % baseMs === 0;
  const stepMs = STEPS_MS.find((each) => each >= shortestMs && isWhole(each)) ?? present(STEPS_MS.at(-1));
  const startMs = Math.floor(input.fromMs / stepMs) * stepMs;
  const endMs = Math.ceil(input.toMs / stepMs) * stepMs;
  return { resolution, stepMs, startMs, endMs, pointCount: (endMs - startMs) / stepMs, readToMs: endMs };
}

/** Reads the same points from fewer rows: uses longer buckets if whole ones make up a point. */
export function fromCoarsest(plan: Plan): Plan {
  const fits = (resolution: Resolution): boolean =>
    resolution !== "raw" && plan.stepMs % BUCKET_MS[resolution] === 0;
  return { ...plan, resolution: RESOLUTIONS.findLast(fits) ?? plan.resolution };
}

const baseStepMs = (resolution: Resolution, windowMs: number): number =>
  resolution === "raw" ? Math.max(SECOND_MS, windowMs) : BUCKET_MS[resolution];

function resolutionFor(input: PlanInput): Resolution {
  const { fromMs, toMs, nowMs, windowMs, rowsPerWindow } = input;
  const { finest = "raw", rowCountMax = WINDOW_COUNT_MAX, rawRowCountMax = rowCountMax } = input;
  const rangeMs = toMs - fromMs;
  const fits = (resolution: Resolution): boolean => {
    const windowCount = (rowsPerWindow * rangeMs) / baseStepMs(resolution, Math.max(windowMs, 5 * SECOND_MS));
    return (
      rangeMs <= RANGE_MS_MAX[resolution] &&
      fromMs >= nowMs - RETENTION_MS[resolution] &&
      windowCount <= (resolution === "raw" ? rawRowCountMax : rowCountMax)
    );
  };
  return RESOLUTIONS.slice(RESOLUTIONS.indexOf(finest)).find(fits) ?? "1h";
}
