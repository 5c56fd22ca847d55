import { requireValues, requireWithin, StatsError } from "./error.ts";
import { arithmeticMean, type Interval, squaresAround } from "./sorted.ts";
import { studentQuantile } from "./student.ts";

export interface MeanOfRuns {
  readonly runCount: number;
  readonly mean: number;
  /** Null with one run, which does not show how runs differ. */
  readonly interval: Interval | null;
}

/**
 * Mean of the durations of runs and its interval by Student's t, with one degree of freedom less than there are runs.
 * The run is the unit: samples of one run share its level, so an interval over all samples together would contain the
 * truth in only half of the cases once runs differ by a tenth. Throws a `StatsError` without runs, or if a duration is
 * not finite or below 0.
 */
export function meanInterval(runs: ArrayLike<number>, confidence = 0.95): MeanOfRuns {
  requireValues(runs, "runs");
  requireWithin(confidence, "The confidence", 0.5, 0.9999);
  const values = Float64Array.from(runs);
  if (values.some((value) => value < 0)) {
    throw new StatsError("bad-argument", "A duration of the runs is below 0.");
  }
  const mean = arithmeticMean(values);
  const runCount = values.length;
  if (runCount < 2) return { runCount, mean, interval: null };
  const standardError = Math.sqrt(squaresAround(values, mean) / (runCount - 1) / runCount);
  const width = studentQuantile(1 - confidence, runCount - 1) * standardError;
  return { runCount, mean, interval: durationInterval(mean, width, confidence) };
}

/**
 * Cuts an interval off at 0. The mean of durations is never negative, so the cut removes no possible value, and the
 * coverage of the interval stays the same.
 */
export const durationInterval = (mean: number, width: number, confidence: number): Interval => ({
  low: Math.max(0, mean - width),
  high: mean + width,
  confidence,
});
