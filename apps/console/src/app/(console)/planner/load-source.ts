/** Describes the load by which a plan judges pools: its source, and whether it was measured for long enough. */

import { formatMetricValue } from "@stashlight/contracts/metrics";
import type { LiveInputs } from "@stashlight/contracts/planner";
import { headroomMarks } from "@stashlight/contracts/thresholds";

/** "34 min of load were measured; judging a pool needs 6 h"; null for a load that was measured long enough, or not at all. */
export function describeShortLoad(measuredSeconds: number | null): string | null {
  const neededSeconds = headroomMarks.loadSecondsMin;
  if (measuredSeconds === null || measuredSeconds >= neededSeconds) return null;
  const [measured, needed] = [Math.floor(measuredSeconds / 60) * 60, neededSeconds].map((seconds) =>
    formatMetricValue("seconds", seconds),
  );
  return `${measured} of load were measured; judging a pool needs ${needed}`;
}

/** Sources of a plan's load and growth that limit its judgements. */
export interface PlanBasis {
  /** Reason that the fleet's load was measured for too short a time to judge a pool; null if it was long enough. */
  readonly unjudged: string | null;
  /** Source of the growth. */
  readonly growthFrom: "trend" | "plan";
}

/** No field of a saved plan follows the fleet, so its growth is its own input. */
export const findPlanBasis = (
  fromFleet: ReadonlySet<string>,
  loadMeasuredSeconds: number | null,
): PlanBasis => ({
  unjudged: describeShortLoad(loadMeasuredSeconds),
  growthFrom: fromFleet.has("growthPerYear") ? "trend" : "plan",
});

/** "By the load so far: " before what follows from a load that judges no pool. */
export const loadSoFar = (unjudged: string | null): string =>
  unjudged === null ? "" : "By the load so far: ";

/** Shown in place of a verdict on a pool. */
export const NOT_JUDGED = "not judged";

export const growthSources = { trend: "the trend of the uploads", plan: "the growth of the plan" } as const;

export interface LoadSourceWords {
  readonly title: string;
  readonly sentence: string;
}

/** Null for a load of the fleet that was measured for long enough, or if neither load nor pool is the fleet's. */
export function describeLoadSource(
  fromFleet: ReadonlySet<string>,
  loadMeasuredSeconds: number | null,
  live: LiveInputs | undefined,
): LoadSourceWords | null {
  const unjudged = describeShortLoad(loadMeasuredSeconds);
  if (unjudged !== null) {
    return {
      title: "The load was measured for a short time",
      sentence: `${unjudged}. A longer measurement may change the answer.`,
    };
  }
  const { figure, missing } = live?.uploadsPerSecond ?? { figure: null, missing: null };
  if (loadMeasuredSeconds !== null || figure !== null || missing === null) return null;
  if (!fromFleet.has("installed.servers")) return null;
  return { title: "The pool is the fleet's, but the load is the plan's own", sentence: missing };
}
