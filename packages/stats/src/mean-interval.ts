import { requireCount, requireValues, requireWithin } from "./error.ts";
import { type Interval, meanOf, squaresAround } from "./sorted.ts";

const DEGREES_MAX = 100_000;
const BISECTIONS = 100;

export interface MeanOfRuns {
  readonly runCount: number;
  readonly mean: number;
  /** Null with one run, which says nothing of how runs differ. */
  readonly interval: Interval | null;
}

/**
 * Mean of the figures of runs and its interval by Student's t, with one degree of freedom less than there are runs. The
 * run is the unit: samples of one run share its level, so an interval over all samples together would hold the truth in
 * half of the cases once runs differ by a tenth. Throws a `StatsError` without runs, or when a figure is not finite.
 */
export function meanInterval(runs: ArrayLike<number>, confidence = 0.95): MeanOfRuns {
  requireValues(runs, "runs");
  requireWithin(confidence, "The confidence", 0.5, 0.9999);
  const values = Float64Array.from(runs);
  const mean = meanOf(values);
  const runCount = values.length;
  if (runCount < 2) return { runCount, mean, interval: null };
  const standardError = Math.sqrt(squaresAround(values, mean) / (runCount - 1) / runCount);
  const width = studentQuantileBetween(confidence, runCount - 1) * standardError;
  return { runCount, mean, interval: { low: mean - width, high: mean + width, confidence } };
}

/** The t with a share of `between` of Student's distribution from -t to t. */
export function studentQuantileBetween(between: number, degreesOfFreedom: number): number {
  requireCount(degreesOfFreedom, "The degrees of freedom", 1, DEGREES_MAX);
  let [low, high] = [0, 1];
  while (shareBetween(high, degreesOfFreedom) < between) high *= 2;
  for (let i = 0; i < BISECTIONS; i += 1) {
    const middle = (low + high) / 2;
    if (shareBetween(middle, degreesOfFreedom) < between) low = middle;
    else high = middle;
  }
  return high;
}

/** The finite series for whole degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4). */
function shareBetween(t: number, degreesOfFreedom: number): number {
  const angle = Math.atan(t / Math.sqrt(degreesOfFreedom));
  const cosineSquared = Math.cos(angle) ** 2;
  const isOdd = degreesOfFreedom % 2 === 1;
  let term = isOdd ? Math.cos(angle) : 1;
  let sum = degreesOfFreedom === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k < degreesOfFreedom; k += 2) {
    term *= ((k - 1) / k) * cosineSquared;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}
