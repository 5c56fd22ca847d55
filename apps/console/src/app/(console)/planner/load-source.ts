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
  const short = fromFleet.has("uploadsPerSecond") ? describeShortLoad(figure) : null;
  return short === null
    ? null
    : {
        title: "The load was measured for a short time",
        sentence: `${short}. The answer may change until then.`,
      };
}
