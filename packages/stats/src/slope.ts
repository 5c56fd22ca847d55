import { requireValues, requireWithin, StatsError } from "./error.ts";
import { normalQuantileUpper } from "./normal.ts";
import type { Interval } from "./sorted.ts";

export interface Slope {
  /** In units of y per unit of x. */
  readonly slope: number;
  /** Null if the values are equivalent to fewer than `EFFECTIVE_COUNT_MIN` independent ones. */
  readonly interval: Interval | null;
  /** Number of independent values with the same information. */
  readonly effectiveCount: number;
}

/** With fewer effective values, Student's interval is too wide to be useful. */
const EFFECTIVE_COUNT_MIN = 5;

/**
 * Slope of the least-squares line through points in the order of their x, and its interval by Student's distribution. A
 * level that is measured repeatedly is close to its neighbours, so a long series may contain no more information than a
 * few values: count and degrees of freedom are those of n (1 - r) / (1 + r) values, where r is the correlation of each
 * residual with the next if that is positive (B. D. Santer et al., J. Geophys. Res. 105 (D6), 2000, equations 3 to 7).
 * Throws a `StatsError` on fewer than three points, a value that is not finite, sides of unequal length or equal x
 * throughout.
 */
export function fitSlope(x: ArrayLike<number>, y: ArrayLike<number>, confidence = 0.95): Slope {
  requireWithin(confidence, "The confidence", 0.5, 0.9999);
  requireValues(x, "values of x", 3);
  requireValues(y, "values of y", 3);
  if (x.length !== y.length) {
    throw new StatsError("bad-argument", `There are ${x.length} values of x and ${y.length} of y.`);
  }
  const n = x.length;
  const [xs, ys] = [Array.from(x), Array.from(y)];
  const [meanX, meanY] = [sum(xs) / n, sum(ys) / n];
  const spread = sum(xs.map((each) => (each - meanX) ** 2));
  if (spread === 0) throw new StatsError("bad-argument", "All values of x are equal, so there is no slope.");
  const slope = sum(xs.map((each, i) => (each - meanX) * ((ys[i] ?? 0) - meanY))) / spread;
  const residuals = xs.map((each, i) => (ys[i] ?? 0) - meanY - slope * (each - meanX));
  const largest = ys.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  const r = Math.max(0, nextCorrelation(residuals, n * (ROUNDING * largest) ** 2));
  const effectiveCount = (n * (1 - r)) / (1 + r);
  if (effectiveCount < EFFECTIVE_COUNT_MIN) return { slope, interval: null, effectiveCount };
  const freedom = effectiveCount - 2;
  const error = Math.sqrt(sum(residuals.map((each) => each ** 2)) / freedom / spread);
  const reach = studentQuantileUpper((1 - confidence) / 2, freedom) * error;
  return { slope, interval: { low: slope - reach, high: slope + reach, confidence }, effectiveCount };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Share of the largest value below which a residual is only a rounding error. */
const ROUNDING = 1e-12;

/** Correlation of each value with the next, around their mean of zero; 0 if their squares are rounding errors. */
function nextCorrelation(residuals: readonly number[], roundingSquares: number): number {
  const squares = sum(residuals.map((each) => each ** 2));
  if (squares <= roundingSquares) return 0;
  return sum(residuals.slice(1).map((each, i) => each * (residuals[i] ?? 0))) / squares;
}

/**
 * Returns the t with a share of Student's distribution above it, by Cornish and Fisher's expansion from the normal
 * quantile (M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 26.7.5): with 3 degrees of freedom and
 * 0.025 it gives 3.16 instead of 3.18, with 10 it is right to four digits.
 */
export function studentQuantileUpper(upperTail: number, freedom: number): number {
  const z = normalQuantileUpper(upperTail);
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}
