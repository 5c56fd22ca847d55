/** Finds when a series reached its present level. */
import type { LevelChange } from "@stashlight/contracts/metrics/query";
import { createRandom, findChangePoints, samplesNeeded } from "@stashlight/stats";
import { present } from "../../present.ts";
import type { SummaryPoint } from "./points.ts";

const MEDIAN = 500_000;
/** Smaller changes of a drive's level need no attention. */
const MAGNITUDE_MIN = 0.25;
const LEVEL_POINTS_MIN = 4;
/** Short enough that a drive which was slow for a while and has recovered shows both changes. */
const WINDOW_POINTS = 24;
/** Fixed, so that the same points give the same answer. */
const SEED = 1;

/** Null if there is no change, or fewer points than two levels need. */
export function findLastChange(points: readonly SummaryPoint[]): LevelChange | null {
  const hasMedians = points.every(({ histogram }) => histogram.count >= samplesNeeded(MEDIAN));
  const levels = points.map(({ histogram }) =>
    hasMedians ? present(histogram.quantile(MEDIAN)) : histogram.sum / histogram.count,
  );
  const changes = findChangePoints(levels, {
    random: createRandom(SEED),
    magnitudeMin: MAGNITUDE_MIN,
    levelLengthMin: LEVEL_POINTS_MIN,
    windowLength: WINDOW_POINTS,
  });
  const last = changes.at(-1);
  if (last === undefined) return null;
  return { sinceMs: present(points[last.index]).fromMs, before: last.before, after: last.after };
}
