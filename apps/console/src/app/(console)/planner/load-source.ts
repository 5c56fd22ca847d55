/** Describes the load by which a plan judges pools: its source, and whether it was measured for long enough. */

import { formatMetricValue } from "@stashlight/contracts/metrics";
import type { LiveInputs, LiveLoad } from "@stashlight/contracts/planner";
import { headroomMarks } from "@stashlight/contracts/thresholds";

/** "34 min of load were measured; a pool is judged by 6 h"; null for a load that is long enough. */
export function describeShortLoad({ measuredSeconds }: LiveLoad): string | null {
  const neededSeconds = headroomMarks.loadSecondsMin;
  if (measuredSeconds >= neededSeconds) return null;
  const [measured, needed] = [Math.floor(measuredSeconds / 60) * 60, neededSeconds].map((seconds) =>
    formatMetricValue("seconds", seconds),
  );
  return `${measured} of load were measured; a pool is judged by ${needed}`;
}

/** Sources of a plan's load and growth that limit its judgements. */
export interface PlanBasis {
  /** Reason that the fleet's load was measured for too short a time to judge a pool; null if it was long enough. */
  readonly unjudged: string | null;
  /** Source of the growth. */
  readonly growthFrom: "trend" | "plan";
}

/** Basis of a plan whose figures are all its own, such as a saved one. */
export const ownBasis: PlanBasis = { unjudged: null, growthFrom: "plan" };

export function findPlanBasis(fromFleet: ReadonlySet<string>, live: LiveInputs | undefined): PlanBasis {
  const load = fromFleet.has("uploadsPerSecond") ? (live?.uploadsPerSecond.figure ?? null) : null;
  return {
    unjudged: load === null ? null : describeShortLoad(load),
    growthFrom: fromFleet.has("growthPerYear") ? "trend" : "plan",
  };
}

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
  live: LiveInputs | undefined,
): LoadSourceWords | null {
  if (live === undefined) return null;
  const { figure, missing } = live.uploadsPerSecond;
  if (figure === null) {
    if (!fromFleet.has("installed.servers")) return null;
    return { title: "The pool is the fleet's, but the load is the plan's own", sentence: missing };
  }
  const { unjudged } = findPlanBasis(fromFleet, live);
  return unjudged === null
    ? null
    : {
        title: "The load was measured for a short time",
        sentence: `${unjudged}. The answer may change until then.`,
      };
}
